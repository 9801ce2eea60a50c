-- SPDX-FileCopyrightText: The Mortise authors
-- SPDX-License-Identifier: Apache-2.0

-- One row for each name that is locked, or was a short while ago. Times are microseconds since 1970, by the clock of the
-- database. Texts are lower-case ASCII: ^a for A, %0020 for a blank.
create table if not exists mortise_locks (
  lock_key    text not null primary key, -- the name; of a long one, its beginning and a hash. The row '~' is the table's own, '~a' the register's entry a
  lock_name   text, -- the whole name if lock_key does not hold it
  owner       text, -- who has the lock until expires_us; a secret
  label       text not null, -- who that is, for people; of the row '~', how the ends of leases are told; of '~a', its text
  fence       integer not null, -- the first fencing token of the last grant
  counter     integer not null, -- the last fencing token of the last grant
  version     integer not null, -- one more with each change
  acquired_us integer not null,
  expires_us  integer not null,
  lease_us    integer not null, -- the length of the lease
  left_us     integer not null, -- what was left of the lease when it was released
  revoked     text, -- why the lease may not be renewed
  released    text -- who released it last, and must not get it any more; of '~a', its version
) without rowid;
