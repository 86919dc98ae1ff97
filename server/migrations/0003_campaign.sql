-- The campaign: slots, claims, evidence, the ledger and its projections, the journal.

create table campaigns (
  id text primary key,
  slots_total integer not null check (slots_total >= 0),
  slots_taken integer not null default 0,
  check (slots_taken between 0 and slots_total)
);

create table claims (
  id uuid primary key,
  campaign_id text not null references campaigns (id),
  user_id uuid not null references users (id),
  attempt integer not null default 1 check (attempt >= 1),
  status text not null default 'submitted' check (status in ('submitted', 'under_review', 'approved', 'rejected')),
  slot integer not null check (slot >= 1),
  wallet text not null,
  telegram text not null,
  twitter text not null,
  post_id text not null,
  retweet_link text not null check (retweet_link like 'https://x.com/%'),
  reason text,
  submitted_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by uuid references users (id),
  unique (campaign_id, user_id, attempt),
  check ((status in ('approved', 'rejected')) = (decided_at is not null))
);
-- A live claim is one that was not rejected: one a participant, and nobody else's wallet, handle or post.
create unique index claims_one_live on claims (campaign_id, user_id) where status <> 'rejected';
create unique index claims_wallet on claims (campaign_id, lower(wallet)) where status <> 'rejected';
create unique index claims_telegram on claims (campaign_id, lower(telegram)) where status <> 'rejected';
create unique index claims_twitter on claims (campaign_id, lower(twitter)) where status <> 'rejected';
create unique index claims_post on claims (campaign_id, post_id) where status <> 'rejected';
create unique index claims_slot on claims (campaign_id, slot) where status <> 'rejected';
create index claims_by_submission on claims (campaign_id, submitted_at, id);
create index claims_by_user on claims (user_id, attempt);

-- What a check saw of a claim: evidence for a person who decides, never a verdict.
create table evidence (
  claim_id uuid not null references claims (id) on delete cascade,
  check_name text not null,
  outcome text not null check (outcome in ('confirmed', 'contradicted', 'could_not_tell')),
  detail text not null,
  source text not null,
  checked_at timestamptz not null default now(),
  primary key (claim_id, check_name)
);

-- Points exist only here. A reversal is a row of its own that names the row it takes back.
create table ledger (
  id uuid primary key,
  campaign_id text not null references campaigns (id),
  user_id uuid not null references users (id),
  kind text not null check (kind in ('pf', 'pls', 'referral')),
  amount bigint not null check (amount <> 0),
  claim_id uuid not null references claims (id),
  reverses uuid unique references ledger (id),
  created_at timestamptz not null default now(),
  check ((reverses is null) = (amount > 0))
);
-- One credit a decision: a claim pays each kind to each person once.
create unique index ledger_one_credit on ledger (claim_id, user_id, kind) where reverses is null;
create index ledger_by_user on ledger (user_id, campaign_id, kind);

create sequence standings_reached;

-- Balances, a projection of the ledger kept by the trigger below. `reached` orders people of equal
-- points: whoever reached them first has the smaller number.
create table standings (
  campaign_id text not null references campaigns (id),
  user_id uuid not null references users (id) on delete cascade,
  pf bigint not null default 0,
  pls bigint not null default 0,
  referral bigint not null default 0,
  total bigint not null generated always as (pf + pls + referral) stored,
  rank_key bigint not null generated always as (-(pf + pls + referral)) stored,
  reached bigint not null default nextval('standings_reached'),
  listed boolean not null default true,
  primary key (campaign_id, user_id),
  check (pf >= 0 and pls >= 0 and referral >= 0)
);
create unique index standings_order on standings (campaign_id, rank_key, reached) where listed;

-- How many listed people stand in each stretch of the order, as deltas that are only inserted (nobody
-- waits for a counter) and folded now and then. Any page is found by summing these, so the last page
-- costs what the first one does.
create table standings_counts (
  campaign_id text not null,
  rank_key bigint not null,
  stretch bigint not null,
  people bigint not null
);
create index standings_counts_order on standings_counts (campaign_id, rank_key, stretch) include (people);

create function standings_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.listed then
    insert into standings_counts values (old.campaign_id, old.rank_key, old.reached >> 10, -1);
  end if;
  if tg_op <> 'DELETE' and new.listed then
    insert into standings_counts values (new.campaign_id, new.rank_key, new.reached >> 10, 1);
  end if;
  return null;
end $$;
create trigger standings_changed after insert or delete or update on standings
  for each row execute function standings_changed();

create function ledger_credited() returns trigger language plpgsql as $$
begin
  update standings set
    pf = pf + case when new.kind = 'pf' then new.amount else 0 end,
    pls = pls + case when new.kind = 'pls' then new.amount else 0 end,
    referral = referral + case when new.kind = 'referral' then new.amount else 0 end,
    reached = nextval('standings_reached')
  where campaign_id = new.campaign_id and user_id = new.user_id;
  if not found then
    raise exception 'no standing for user % in campaign %', new.user_id, new.campaign_id;
  end if;
  return null;
end $$;
create trigger ledger_credited after insert on ledger
  for each row execute function ledger_credited();

-- Who did what to whom, for every decision and change of rights.
create table journal (
  id uuid primary key,
  at timestamptz not null default now(),
  actor uuid references users (id),
  action text not null,
  subject uuid,
  before jsonb,
  after jsonb,
  network text
);
create index journal_by_time on journal (at);
create index journal_by_subject on journal (subject);

create function append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger ledger_append_only before update or delete or truncate on ledger
  for each statement execute function append_only();
create trigger journal_append_only before update or delete or truncate on journal
  for each statement execute function append_only();

-- The last answer of the price service and when it was last asked, over all nodes.
create table market_prices (
  contract text primary key,
  asked_at timestamptz not null,
  pairs jsonb,
  answered_at timestamptz
);
