-- What became of emails, which addresses do not exist, and what administrators were alerted to.

-- The newest answer about an email. Deleted with its job.
create table mail_answers (
  job uuid primary key references jobs (id) on delete cascade,
  outcome text not null check (outcome in ('accepted', 'deferred', 'refused', 'suppressed')),
  -- Without addresses, codes and links of ours; null in the development mailbox.
  answer text,
  at timestamptz not null default now()
);

-- The outbox, newest first, and one address in it.
create index jobs_emails on jobs (id) where kind in ('mail', 'announcement');
create index jobs_recipients on jobs (lower(payload ->> 'to'), id) where kind in ('mail', 'announcement');

create table suppressions (
  id uuid primary key,
  email_key text not null unique,
  -- The mail server's; null for an address that an administrator added.
  answer text,
  refusals integer not null default 1 check (refusals > 0),
  -- Until then, emails that nobody asked for right now stay unsent. Announcements stay unsent as long as the row exists.
  until timestamptz not null,
  created_at timestamptz not null default now(),
  refused_at timestamptz not null default now()
);

-- One row a condition and place (a machine, or empty), from when it is first true.
create table alerts (
  condition text not null check (condition in ('mail_stuck', 'disk_low', 'backup_failed', 'jobs_dead')),
  place text not null default '',
  facts jsonb not null,
  since timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  -- When administrators were last emailed that it holds; null once they were emailed that it is over.
  told_at timestamptz,
  -- When the last email about it was queued: at most one an hour.
  mailed_at timestamptz,
  cleared_at timestamptz,
  primary key (condition, place)
);
