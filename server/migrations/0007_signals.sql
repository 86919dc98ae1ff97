-- What speaks for several accounts being one person: signals with weights, and the clusters that they form.
-- Nothing here decides anything.

-- From where accounts signed up and claimed: a keyed hash of the prefix (/24, /64), never the address.
create table network_visits (
  campaign_id text not null references campaigns (id),
  user_id uuid not null references users (id) on delete cascade,
  event text not null check (event in ('sign-up', 'claim')),
  prefix bytea not null check (length(prefix) = 16),
  at timestamptz not null default now(),
  primary key (campaign_id, user_id, event)
);
create index network_visits_by_prefix on network_visits (campaign_id, prefix, at);
create index network_visits_by_time on network_visits (at);

-- A participant's own words in their post, as they are compared. `bands`: texts that are nearly the same share one.
create table post_texts (
  claim_id uuid primary key references claims (id) on delete cascade,
  campaign_id text not null,
  words text not null check (length(words) <= 600),
  bands integer[] not null
);
create index post_texts_by_band on post_texts using gin (bands);

create table signals (
  claim_id uuid not null references claims (id) on delete cascade,
  kind text not null check (kind in ('email-twin', 'reused-proof', 'same-text', 'disposable-email', 'shared-network',
    'referral-ring', 'quick-proof', 'referral-star')),
  weight integer not null check (weight > 0),
  -- What its words are made of.
  facts jsonb not null,
  primary key (claim_id, kind)
);

-- Two accounts and what joins them.
create table account_links (
  campaign_id text not null references campaigns (id),
  older uuid not null references users (id) on delete cascade,
  newer uuid not null references users (id) on delete cascade,
  kind text not null,
  primary key (campaign_id, newer, older, kind),
  check (older < newer)
);
create index account_links_by_older on account_links (campaign_id, older);

-- Accounts that links lead to from one another; a cluster is named after its oldest account.
create table clusters (
  campaign_id text not null references campaigns (id),
  user_id uuid not null references users (id) on delete cascade,
  cluster_id uuid not null,
  primary key (campaign_id, user_id)
);
create index clusters_members on clusters (campaign_id, cluster_id, user_id);

create index users_by_twin on users (email_twin);
create index claims_rejected_wallet on claims (campaign_id, lower(wallet)) where status = 'rejected';
create index claims_rejected_telegram on claims (campaign_id, lower(telegram)) where status = 'rejected';
create index claims_rejected_twitter on claims (campaign_id, lower(twitter)) where status = 'rejected';
create index claims_rejected_post on claims (campaign_id, post_id) where status = 'rejected';
