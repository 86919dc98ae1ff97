-- Links with which the first administrator is created; void once there is one. Only hashes of their tokens are here.
create table setup_links (
  token_hash bytea primary key check (length(token_hash) = 32),
  created_at timestamptz not null default now(),
  used_at timestamptz
);

-- Logos and mascots, re-encoded, named by a hash of what they hold and their size in pixels. What is shown at the
-- moment is named by the campaign's look.
create table pictures (
  name text primary key check (name ~ '^[0-9a-f]{64}-[1-9][0-9]{0,3}x[1-9][0-9]{0,3}$'),
  -- For pages; and for icons, share pictures and emails.
  webp bytea not null,
  png bytea not null,
  -- SHA-256 of the file that it was made from and what for, so that the same file is decoded once.
  source bytea not null check (length(source) = 32),
  part text not null check (part in ('logo', 'mascot')),
  created_at timestamptz not null default now(),
  unique (source, part)
);
