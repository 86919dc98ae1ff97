-- What the chain says about the token: asked at most once a minute over all nodes, kept with its history.

-- Whose turn it is to ask: whoever set `asked_at` may write the answer, unless somebody else has asked since.
create table token_checks (
  -- The chain's id and the contract in lower case: another token begins anew.
  token text primary key check (token ~ '^[0-9]+:0x[0-9a-f]{40}$'),
  asked_at timestamptz not null,
  answered_at timestamptz
);

create table token_proofs (
  token text not null references token_checks (token),
  claim text not null check (claim ~ '^[a-z]+$'),
  -- The newest proof with a verdict, and when it was checked.
  conclusion jsonb check (conclusion->>'verdict' in ('proven', 'not_so')),
  concluded_at timestamptz,
  -- The newest check if it came to no verdict.
  trouble jsonb check (trouble->>'verdict' = 'could_not_check'),
  -- The verdict that administrators know of, and when the last two of their emails about it were queued.
  told text check (told in ('proven', 'not_so', 'could_not_check')),
  told_at timestamptz,
  told_before_at timestamptz,
  primary key (token, claim),
  check ((conclusion is null) = (concluded_at is null)),
  check (conclusion is not null or trouble is not null)
);

-- What was shown, since when.
create table token_proof_changes (
  id uuid primary key,
  token text not null references token_checks (token),
  claim text not null,
  verdict text not null check (verdict in ('proven', 'not_so', 'could_not_check')),
  reason jsonb not null,
  block bigint check (block >= 0),
  at timestamptz not null default now()
);
create index token_proof_changes_by_claim on token_proof_changes (token, claim, at, id);
create trigger token_proof_changes_append_only before update or delete or truncate on token_proof_changes
  for each statement execute function append_only();

-- Prices computed from the pools, for when the price service is silent; as market_prices.
create table pool_prices (
  contract text primary key,
  asked_at timestamptz not null,
  pairs jsonb,
  answered_at timestamptz,
  failed_at timestamptz
);
-- Otherwise other nodes wait for an answer that will not come.
alter table market_prices add column failed_at timestamptz;
