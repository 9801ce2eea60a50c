-- SPDX-FileCopyrightText: The Mortise authors
-- SPDX-License-Identifier: Apache-2.0

-- One row for each name that is locked, or was a short while ago. Times are microseconds since 1970, by the clock of the
-- database. Texts are lower-case ASCII: ^a for A, %0020 for a blank.
create table if not exists mortise_locks (
  lock_key    varchar(200) not null primary key, -- the name; of a long one, its beginning and a hash. The row '~' is the table's own, '~a' the register's entry a
  lock_name   varchar, -- the whole name if lock_key does not hold it
  owner       varchar(32), -- who has the lock until expires_us; a secret
  label       varchar not null, -- who that is, for people; of the row '~', how the ends of leases are told; of '~a', its text
  fence       bigint not null, -- the first fencing token of the last grant
  counter     bigint not null, -- the last fencing token of the last grant
  version     bigint not null, -- one more with each change
  acquired_us bigint not null,
  expires_us  bigint not null,
  lease_us    bigint not null, -- the length of the lease
  left_us     bigint not null, -- what was left of the lease when it was released
  revoked     varchar, -- why the lease may not be renewed
  released    varchar(32) -- who released it last, and must not get it any more; of '~a', its version
);

-- What a guard locks within the transaction that it guards: a row that each grant changes, and no renewal.
create table if not exists mortise_locks_grants (
  lock_key    varchar(200) not null primary key,
  fence       bigint not null -- the first fencing token of the last grant
);
