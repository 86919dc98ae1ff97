-- What would fit another product: work owed, and budgets of callers.

-- Work queued in the transaction that causes it, done under a lease.
create table jobs (
  id uuid primary key,
  kind text not null,
  payload jsonb not null,
  run_at timestamptz not null default now(),
  -- Past this the work is useless and dropped (a code that has expired, say).
  useful_until timestamptz,
  attempts integer not null default 0,
  leased_until timestamptz,
  done_at timestamptz,
  dead_at timestamptz,
  last_error text,
  created_at timestamptz not null default now()
);
create index jobs_due on jobs (run_at) where done_at is null and dead_at is null;
create index jobs_finished on jobs (coalesce(done_at, dead_at)) where done_at is not null or dead_at is not null;

create table rate_limits (
  key text primary key,
  count integer not null,
  -- How often in a row the budget was used up: the next window doubles.
  strikes integer not null default 0,
  resets_at timestamptz not null
);
create index rate_limits_by_reset on rate_limits (resets_at);
