-- Accounts: verified people, pending registrations, the codes mailed to them, their sessions.

create table users (
  id uuid primary key,
  username text not null check (username ~ '^[A-Za-z0-9_.-]{3,20}$'),
  -- Where mail goes, as typed; email_key is the identity, without regard to case.
  email text not null,
  email_key text not null unique,
  -- Anti-abuse key only (plus tags and gmail dots removed): never used for login or mail.
  email_twin text not null,
  password_hash text not null,
  role text not null default 'user' check (role in ('user', 'admin')),
  locale text not null default 'en',
  referral_code text not null unique,
  referred_by uuid references users (id),
  banned_at timestamptz,
  created_at timestamptz not null default now(),
  check (referred_by <> id)
);
create index users_by_referrer on users (referred_by) where referred_by is not null;

-- A pending registration keeps its own password; several of one e-mail coexist until one is activated.
create table registrations (
  id uuid primary key,
  username text not null,
  email text not null,
  email_key text not null,
  password_hash text not null,
  referred_by uuid references users (id),
  locale text not null default 'en',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index registrations_by_email on registrations (email_key);
create index registrations_by_expiry on registrations (expires_at);

-- One row a name, without regard to case: taken by a user, or held for an e-mail that registers.
create table usernames (
  key text primary key,
  user_id uuid unique references users (id) on delete cascade deferrable initially deferred,
  held_for text,
  held_until timestamptz,
  check ((user_id is null) = (held_for is not null and held_until is not null))
);
create index usernames_by_hold on usernames (held_until) where user_id is null;

-- A code without registration and user is a decoy: an unknown e-mail meets the same cooldown and
-- the same budget of guesses as a known one.
create table codes (
  id uuid primary key,
  purpose text not null check (purpose in ('verify-email', 'reset-password')),
  email_key text not null,
  registration_id uuid references registrations (id) on delete set null,
  user_id uuid references users (id) on delete set null,
  -- The job that mails it, so that a code nobody needs any more is not mailed.
  mail_job uuid,
  digest bytea not null,
  attempts integer not null default 0 check (attempts between 0 and 5),
  -- When its mail may leave; the cooldown and the lifetime count from here.
  starts_at timestamptz not null,
  expires_at timestamptz not null,
  closed_at timestamptz,
  check (registration_id is null or user_id is null)
);
create index codes_by_email on codes (email_key, purpose, starts_at);
create index codes_by_expiry on codes (expires_at);

create table reset_tokens (
  token_hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  expires_at timestamptz not null
);
create index reset_tokens_by_user on reset_tokens (user_id);

create table sessions (
  token_hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now()
);
create index sessions_by_user on sessions (user_id, created_at);
create index sessions_by_use on sessions (last_seen_at);
