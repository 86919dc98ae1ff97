-- Which Telegram account a participant showed to be theirs, so that the bot of the group can look it up.

create table telegram_accounts (
  user_id uuid primary key references users (id) on delete cascade,
  -- The number by which the Bot API knows people: 52 bits at most.
  telegram_id bigint not null check (telegram_id between 1 and 4503599627370495),
  username text check (username ~ '^[A-Za-z][A-Za-z0-9_]{3,31}$'),
  since timestamptz not null default now(),
  constraint telegram_accounts_one_participant unique (telegram_id)
);

-- Connections that were begun: whose, and until when. What else they need is derived from the state, which is not here.
create table telegram_attempts (
  state_hash bytea primary key check (length(state_hash) = 32),
  user_id uuid not null references users (id) on delete cascade,
  expires_at timestamptz not null
);
create index telegram_attempts_by_expiry on telegram_attempts (expires_at);
