-- Indexes for statements that read whole tables as a campaign grew.

-- The review list of decided claims, by risk.
create index claims_decided_by_risk on claims (campaign_id, risk_order, submitted_at, id) where decided_at is not null;

-- Suspended accounts, which leave the waiting list before a slot is reserved.
create index users_banned on users (id) where banned_at is not null;

-- Each kind of job is leased separately: a backlog of one kind is not read for another.
drop index jobs_due;
create index jobs_due on jobs (kind, run_at) where done_at is null and dead_at is null;
create index jobs_expiring on jobs (kind, useful_until)
  where done_at is null and dead_at is null and useful_until is not null;
