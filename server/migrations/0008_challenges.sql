-- Challenges that were solved and let a call pass: each does so once, on whichever node. Kept until well after
-- they expire.
create table spent_challenges (
  signature bytea primary key check (length(signature) = 32),
  expires_at timestamptz not null
);
create index spent_challenges_by_expiry on spent_challenges (expires_at);
