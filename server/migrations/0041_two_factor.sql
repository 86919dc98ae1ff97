-- Two-factor login by time-based codes (TOTP, RFC 6238), and what an account is shown of its sessions.

create table second_factors (
  user_id uuid primary key references users (id) on delete cascade,
  -- Encrypted: the key stays outside the database.
  secret bytea not null,
  -- Null until a code has shown that the authenticator has the secret; only then does it count.
  confirmed_at timestamptz,
  -- The newest 30 seconds since 1970 whose code was used. It only grows, so that no code is used twice.
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);
create function last_step_grows() returns trigger language plpgsql as $$
begin
  raise exception 'A code of an authenticator is used once.';
end $$;
create trigger second_factors_last_step before update of last_step on second_factors
  for each row when (new.secret = old.secret and new.last_step < old.last_step) execute function last_step_grows();

create table recovery_codes (
  user_id uuid not null references second_factors (user_id) on delete cascade,
  -- Keyed.
  code_hash bytea not null check (length(code_hash) = 32),
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- Where a login came from, no more precisely than its owner needs to recognize it.
alter table sessions
  add column id uuid not null unique default gen_random_uuid(),
  add column device text check (length(device) <= 60),
  add column network text check (length(network) <= 60);
