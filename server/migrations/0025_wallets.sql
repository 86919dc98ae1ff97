-- Wallets that participants have proven to be theirs by signing a message. Optional: a claim needs none.

create table proven_wallets (
  campaign_id text not null references campaigns (id),
  user_id uuid not null references users (id) on delete cascade,
  address text not null check (address ~ '^0x[0-9a-fA-F]{40}$'),
  -- What accepted the signature: the key of a regular account, or the contract of a smart wallet.
  kind text not null check (kind in ('account', 'contract')),
  since timestamptz not null default now(),
  primary key (campaign_id, user_id)
);
create unique index proven_wallets_one_participant on proven_wallets (campaign_id, lower(address));

-- Messages that wait for a signature, each for one account and one use. The signature is verified against this text,
-- never against one that a client sends.
create table wallet_messages (
  nonce text primary key check (nonce ~ '^[0-9a-f]{32}$'),
  campaign_id text not null references campaigns (id),
  user_id uuid not null references users (id) on delete cascade,
  address text not null check (address ~ '^0x[0-9a-fA-F]{40}$'),
  text text not null check (length(text) <= 2000),
  expires_at timestamptz not null
);
create index wallet_messages_by_expiry on wallet_messages (expires_at);

-- Proving a wallet excludes claiming with it meanwhile, so that whichever comes second sees the first. In groups, so
-- that a transaction with many claims holds few locks.
create function wallet_lock(campaign_id text, address text) returns integer language sql immutable as $$
  select hashtext(campaign_id || lower(address)) & 255
$$;

-- A claim cannot show a wallet that another participant has proven. Refused as one that another claim shows.
create function proven_wallet_refused() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(1271, wallet_lock(new.campaign_id, new.wallet));
  -- A statement of its own: it sees what was committed while the lock was waited for.
  perform from proven_wallets p
    where p.campaign_id = new.campaign_id and lower(p.address) = lower(new.wallet) and p.user_id <> new.user_id;
  if found then
    raise exception 'the wallet is proven by another participant'
      using errcode = 'unique_violation', constraint = 'claims_wallet';
  end if;
  return null;
end $$;
create trigger proven_wallet_refused_at_first after insert on claims for each row
  when (new.status <> 'rejected') execute function proven_wallet_refused();
create trigger proven_wallet_refused after update on claims for each row
  when (new.status <> 'rejected' and (old.status = 'rejected' or lower(old.wallet) <> lower(new.wallet)))
  execute function proven_wallet_refused();
