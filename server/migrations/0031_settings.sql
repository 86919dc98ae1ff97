-- Settings that administrators have changed. They take precedence over the campaign file, whose value at that time is
-- kept, so that a later change of the file can be noticed.

create table campaign_overrides (
  campaign_id text not null references campaigns (id),
  -- A setting, as `airdrop.closesAt`.
  path text not null check (path ~ '^[a-zA-Z]+(\.[a-zA-Z]+)*$'),
  -- JSON null is a value of its own: of `airdrop.closesAt`, no end.
  value jsonb not null,
  -- Null: the file said nothing.
  file_value jsonb,
  changed_at timestamptz not null default now(),
  -- Null: the operator on the command line.
  changed_by uuid references users (id) on delete set null,
  primary key (campaign_id, path)
);

-- Grows with each change, whether of the file or of an override: nodes notice it, and forms cannot overwrite each other.
alter table campaigns add column settings_revision integer not null default 0;
