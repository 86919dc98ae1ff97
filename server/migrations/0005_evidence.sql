-- What a check saw is kept beside its outcome, and what could not be told is asked again.

alter table evidence
  -- Of the reply; null where nothing answered or nothing was asked.
  add column http_status integer,
  -- The beginning of the reply, and the SHA-256 of all of it.
  add column seen text check (length(seen) <= 4000),
  add column seen_hash text check (seen_hash ~ '^[0-9a-f]{64}$'),
  -- 0: nobody has looked yet.
  add column tries integer not null default 1 check (tries >= 0),
  -- Null: settled, or given up.
  add column next_try_at timestamptz,
  add check (next_try_at is null or outcome = 'could_not_tell');

create index claims_submitted on claims (submitted_at) where status = 'submitted';
