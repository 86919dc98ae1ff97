-- What has been paid of a frozen allocation, as the chain tells it.

-- A transfer to a row's wallet. `log_index` is -1 for the coin itself, of which a transaction moves one amount at most.
create table payout_payments (
  freeze_id uuid not null references payout_freezes (id),
  transaction bytea not null check (length(transaction) = 32),
  log_index integer not null check (log_index >= -1),
  position integer not null,
  asset text not null check (asset in ('pf', 'pls')),
  amount base_units not null check (amount > 0),
  payer text not null check (payer ~ '^0x[0-9a-fA-F]{40}$'),
  block bigint not null check (block >= 0),
  recorded_at timestamptz not null default now(),
  primary key (freeze_id, transaction, log_index),
  foreign key (freeze_id, position) references payout_rows (freeze_id, position)
);
create index payout_payments_by_row on payout_payments (freeze_id, position, asset);
create trigger payout_payments_append_only before update or delete or truncate on payout_payments
  for each statement execute function append_only();

-- Who was told that an asset has arrived in full: once.
create table payout_notices (
  freeze_id uuid not null,
  position integer not null,
  asset text not null check (asset in ('pf', 'pls')),
  noted_at timestamptz not null default now(),
  primary key (freeze_id, position, asset),
  foreign key (freeze_id, position) references payout_rows (freeze_id, position)
);
create trigger payout_notices_append_only before update or delete or truncate on payout_notices
  for each statement execute function append_only();

-- How far the transfers of a payer are read, and the hash of the last block: if the chain has another one now, it was
-- reorganized deeper than we wait for.
create table payout_scans (
  freeze_id uuid not null references payout_freezes (id),
  payer text not null check (payer ~ '^0x[0-9a-fA-F]{40}$'),
  from_block bigint not null check (from_block >= 0),
  to_block bigint not null check (to_block >= from_block - 1),
  block_hash bytea not null check (length(block_hash) = 32),
  scanned_at timestamptz not null default now(),
  primary key (freeze_id, payer)
);
