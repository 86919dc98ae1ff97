-- Frozen allocations: what each wallet is paid. A freeze is never changed; what happens afterwards stands beside it.

-- Sums of base units are larger than a number in JSON can hold exactly, so the journal has them as digits.
create or replace function is_impersonal(document jsonb) returns boolean language sql immutable as $$
  select document is null or not jsonb_path_exists(document, '$.** ? (@.type() == "string" && !(@ like_regex
    "^([a-z][a-z0-9_-]{0,63}|0|[1-9][0-9]{0,77}|[0-9a-f]{64}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,15}Z)$"))')
$$;

-- Amounts are in base units, like a uint256. The freeze itself is inserted last: rows before it, none after it.
create domain base_units as numeric(78, 0) check (value >= 0);

-- What is paid, one row a wallet, numbered from 0 in the order of the wallets.
create table payout_rows (
  freeze_id uuid not null,
  position integer not null check (position >= 0),
  -- With its EIP-55 checksum, so that there is one spelling.
  wallet text not null check (wallet ~ '^0x[0-9a-fA-F]{40}$'),
  pf base_units not null,
  pls base_units not null,
  -- The evidence found code at the address.
  is_contract boolean not null,
  primary key (freeze_id, position),
  unique (freeze_id, wallet),
  check (pf + pls > 0)
);

-- The points that a row is made of. A share without a row is not paid; payout_left_out says why.
create table payout_shares (
  freeze_id uuid not null,
  user_id uuid not null references users (id),
  claim_id uuid references claims (id),
  position integer,
  pf_points bigint not null check (pf_points >= 0),
  pls_points bigint not null check (pls_points >= 0),
  referral_points bigint not null check (referral_points >= 0),
  primary key (freeze_id, user_id),
  foreign key (freeze_id, position) references payout_rows (freeze_id, position),
  check (claim_id is not null or position is null)
);
create index payout_rows_contracts on payout_rows (freeze_id, position) where is_contract;
create index payout_shares_by_row on payout_shares (freeze_id, position);

-- What is not paid, and why. Without an approved claim there is a participant but no wallet.
create table payout_left_out (
  freeze_id uuid not null,
  number integer not null check (number >= 0),
  reason text not null check (reason in ('no_approved_claim', 'below_minimum', 'unusable_wallet', 'nothing_due')),
  wallet text check (wallet ~ '^0x[0-9a-fA-F]{40}$'),
  user_id uuid references users (id),
  pf base_units not null,
  pls base_units not null,
  primary key (freeze_id, number),
  check ((reason = 'no_approved_claim') = (wallet is null) and (wallet is null) = (user_id is not null))
);

-- The Merkle tree: `nodes` has 32 bytes each, the root first; `leaves` has for each row the number of its leaf's node,
-- 4 bytes big-endian. Stored uncompressed, so that a node is read without the rest of its chunk.
create table payout_chunks (
  freeze_id uuid not null,
  part text not null check (part in ('nodes', 'leaves')),
  number integer not null check (number >= 0),
  bytes bytea not null,
  primary key (freeze_id, part, number)
);
alter table payout_chunks alter column bytes set storage external;

create table payout_freezes (
  id uuid primary key,
  campaign_id text not null references campaigns (id),
  number integer not null check (number >= 1),
  previous integer generated always as (nullif(number - 1, 0)) stored,
  root bytea not null check (length(root) = 32),
  recipients integer not null check (recipients >= 1),
  -- Rows with an amount of each asset, and what all of them are.
  pf_recipients integer not null check (pf_recipients between 0 and recipients),
  pls_recipients integer not null check (pls_recipients between 0 and recipients),
  pf base_units not null,
  pls base_units not null,
  -- Rows of contracts, and participants who share the row of another one.
  contracts integer not null check (contracts >= 0),
  sharing integer not null check (sharing >= 0),
  -- Sums of payout_left_out by reason.
  left_out jsonb not null,
  -- Rates, minimum and units as in the campaign file at that time.
  terms jsonb not null,
  -- Claims that still waited for a decision, and were left out knowingly.
  undecided integer not null check (undecided >= 0),
  frozen_by uuid references users (id),
  frozen_at timestamptz not null default now(),
  unique (campaign_id, number)
);

create table payout_thaws (
  campaign_id text not null,
  number integer not null,
  reason text not null,
  thawed_by uuid references users (id),
  thawed_at timestamptz not null default now(),
  primary key (campaign_id, number),
  foreign key (campaign_id, number) references payout_freezes (campaign_id, number)
);
-- One freeze at a time: the next one needs the thaw of the one before.
alter table payout_freezes add foreign key (campaign_id, previous) references payout_thaws (campaign_id, number);

-- Its sums are those of its rows.
create function payout_frozen() returns trigger language plpgsql as $$
declare
  found record;
begin
  select count(*) as recipients, coalesce(sum(r.pf), 0) as pf, coalesce(sum(r.pls), 0) as pls,
    coalesce(max(r.position), -1) as last, count(*) filter (where r.pf > 0) as pf_recipients,
    count(*) filter (where r.pls > 0) as pls_recipients
    into found from payout_rows r where r.freeze_id = new.id;
  if (found.recipients, found.last, found.pf_recipients, found.pls_recipients, found.pf, found.pls) is distinct from
    (new.recipients, new.recipients - 1, new.pf_recipients, new.pls_recipients, new.pf::numeric, new.pls::numeric) then
    raise exception 'the rows of freeze % add up to % wallets, % and %', new.id, found.recipients, found.pf, found.pls
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create trigger payout_frozen after insert on payout_freezes for each row execute function payout_frozen();

-- Nothing is added to a freeze.
create function payout_unfrozen() returns trigger language plpgsql as $$
begin
  if exists (select from payout_freezes f where f.id in (select a.freeze_id from added a)) then
    raise exception '% of a freeze cannot grow', tg_table_name using errcode = 'insufficient_privilege';
  end if;
  return null;
end $$;
create trigger payout_rows_unfrozen after insert on payout_rows referencing new table as added
  for each statement execute function payout_unfrozen();
create trigger payout_shares_unfrozen after insert on payout_shares referencing new table as added
  for each statement execute function payout_unfrozen();
create trigger payout_left_out_unfrozen after insert on payout_left_out referencing new table as added
  for each statement execute function payout_unfrozen();
create trigger payout_chunks_unfrozen after insert on payout_chunks referencing new table as added
  for each statement execute function payout_unfrozen();

create trigger payout_rows_append_only before update or delete or truncate on payout_rows
  for each statement execute function append_only();
create trigger payout_shares_append_only before update or delete or truncate on payout_shares
  for each statement execute function append_only();
create trigger payout_left_out_append_only before update or delete or truncate on payout_left_out
  for each statement execute function append_only();
create trigger payout_chunks_append_only before update or delete or truncate on payout_chunks
  for each statement execute function append_only();
create trigger payout_freezes_append_only before update or delete or truncate on payout_freezes
  for each statement execute function append_only();
create trigger payout_thaws_append_only before update or delete or truncate on payout_thaws
  for each statement execute function append_only();

-- What runs at the moment, one at a time in a campaign, and how the last one ended. `beat_at` is renewed while it runs.
create table payout_runs (
  campaign_id text primary key references campaigns (id),
  id uuid not null,
  task text not null check (task in ('freeze', 'export', 'reconcile')),
  step text not null default 'start',
  done bigint not null default 0,
  total bigint,
  started_by uuid references users (id),
  started_at timestamptz not null default now(),
  beat_at timestamptz not null default now(),
  ended_at timestamptz,
  -- A code of contract/protocol/errors.ts; null if it succeeded.
  refusal text,
  check (refusal is null or ended_at is not null)
);
