-- What was backed up, restored and rehearsed, and when: the schedule asks when the next backup is due, `doctor` whether
-- the last ones went well.

create table backup_runs (
  id uuid primary key,
  kind text not null check (kind in ('scheduled', 'manual', 'before_upgrade', 'rehearsal', 'restore')),
  file text not null,
  -- When the snapshot in the file was taken; null while it is not known.
  taken_at timestamptz,
  bytes bigint,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  -- Null: went well, or has not finished.
  error text,
  check (error is null or finished_at is not null)
);
create index backup_runs_latest on backup_runs (kind, started_at desc);
