-- SPDX-FileCopyrightText: The Mortise authors
-- SPDX-License-Identifier: Apache-2.0

-- One row for each name that is locked, or was a short while ago. Times are microseconds since 1970, by the clock of the
-- database. Texts are lower-case ASCII: ^a for A, %0020 for a blank.
create table if not exists mortise_locks (
  lock_key    text collate "C" not null primary key, -- the name; of a long one, its beginning and a hash. The row '~' is the table's own, '~a' the register's entry a
  lock_name   text, -- the whole name if lock_key does not hold it
  owner       text, -- who has the lock until expires_us; a secret
  label       text not null, -- who that is, for people; of the row '~', how the ends of leases are told; of '~a', its text
  fence       bigint not null, -- the first fencing token of the last grant
  counter     bigint not null, -- the last fencing token of the last grant
  version     bigint not null, -- one more with each change
  acquired_us bigint not null,
  expires_us  bigint not null,
  lease_us    bigint not null, -- the length of the lease
  left_us     bigint not null, -- what was left of the lease when it was released
  revoked     text, -- why the lease may not be renewed
  released    text -- who released it last, and must not get it any more; of '~a', its version
) with (fillfactor = 50);

-- What a guard locks within the transaction that it guards: a row that each grant changes, and no renewal.
create table if not exists mortise_locks_grants (
  lock_key    text collate "C" not null primary key,
  fence       bigint not null -- the first fencing token of the last grant
) with (fillfactor = 50);

-- Who waits for which lock. A release grants the lock to the first and marks its row; who was granted the lock deletes the
-- row before it relies on it. The table is not logged: after a crash it is empty, and so is known to have forgotten. Its row
-- '~' tells, as long as it is there, that no crash has happened since it was made.
create unlogged table if not exists mortise_locks_queue (
  lock_key    text collate "C" not null,
  place       bigint not null, -- when it came
  owner       text not null, -- who waits
  label       text not null,
  lease_us    bigint not null, -- the lease that it wants
  tokens      bigint not null, -- how many fencing tokens it wants
  token_floor bigint not null, -- which they must be greater than
  channel     text not null, -- where it listens; empty if it does not
  waiter      bigint not null, -- its number there
  called      bigint, -- the version of the lock's row that granted it the lock
  primary key (lock_key, place, owner)
) with (fillfactor = 70);
