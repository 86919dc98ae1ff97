-- Announcements: emails that administrators write to everybody who asked for them.

create table announcements (
  id uuid primary key,
  subject text not null,
  body text not null,
  state text not null default 'draft' check (state in ('draft', 'sending', 'stopped', 'sent')),
  per_minute integer not null default 60 check (per_minute between 1 and 1000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  -- How many were to get it when it was last started.
  audience integer,
  -- Everybody up to this user has been queued, and when the last batch was.
  queued_to uuid,
  queued_at timestamptz,
  -- The totals, once the recipients are deleted.
  sent integer,
  failed integer,
  skipped integer
);
-- One at a time.
create unique index announcements_one_sending on announcements ((true)) where state = 'sending';

-- Who gets an announcement: once each, whatever crashes.
create table announcement_recipients (
  announcement uuid not null references announcements (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  job uuid not null,
  -- Null while it waits.
  outcome text check (outcome in ('sent', 'failed', 'skipped')),
  primary key (announcement, user_id)
);
create index announcement_recipients_by_user on announcement_recipients (user_id);

create index users_announcements on users (id) where announcements_at is not null;
