-- Bans with their reason, offers of the administrator's role, and accounts that were deleted.

alter table users
  -- Read by the person and by administrators.
  add column ban_reason text check (char_length(ban_reason) between 1 and 500),
  -- An offer to become an administrator, until the person accepts it with a password of their own.
  add column role_offered_at timestamptz,
  add column role_offered_by uuid references users (id),
  add column deleted_at timestamptz,
  add constraint users_ban_reason check (ban_reason is null or banned_at is not null),
  add constraint users_role_offer check (role_offered_at is not null or role_offered_by is null),
  -- What is left of a deleted account says nothing about a person. It counts as banned: whatever refuses a banned
  -- account refuses it too.
  add constraint users_deleted check (deleted_at is null or (banned_at is not null and ban_reason is null
    and role = 'user' and role_offered_at is null and username = 'deleted' and email = '' and email_key = id::text
    and canonical_email = id::text and password_hash = '' and referral_code = id::text and locale = 'en'
    and announcements_at is null));

-- The lists of people.
create index users_administrators on users (id) where role = 'admin';
create index users_suspended on users (id) where banned_at is not null and deleted_at is null;
create index telegram_accounts_by_name_prefix on telegram_accounts (lower(username) text_pattern_ops);

-- Emails of deleted accounts, as keyed hashes. Until then they register as one that has an account does: nobody gets a
-- new start, such as further attempts at a claim, by deleting an account.
create table held_emails (
  hash bytea primary key check (length(hash) = 32),
  until timestamptz not null
);
create index held_emails_by_end on held_emails (until);

alter table claims
  drop constraint claims_reason_code_check,
  add constraint claims_reason_code_check check (reason_code in ('post_missing', 'post_of_other', 'post_incomplete',
    'task_not_done', 'not_in_group', 'wallet_unusable', 'same_person', 'automated', 'other', 'account_banned',
    'account_deleted'));

-- A banned account gets no live claim, not even one that was on its way when it was banned.
create function banned_claim_refused() returns trigger language plpgsql as $$
begin
  -- Waits for a ban that has locked the account.
  perform from users u where u.id = new.user_id and u.banned_at is null for key share;
  if not found then
    raise exception 'the account is banned' using errcode = 'check_violation', constraint = 'claims_not_banned';
  end if;
  return null;
end $$;
create trigger banned_claim_refused_at_first after insert on claims for each row
  when (new.status <> 'rejected') execute function banned_claim_refused();
create trigger banned_claim_refused after update on claims for each row
  when (old.status = 'rejected' and new.status <> 'rejected') execute function banned_claim_refused();

-- Points of banned and deleted accounts are not paid; the wallets of their claims do not matter then.
alter table payout_left_out
  drop constraint payout_left_out_reason_check,
  drop constraint payout_left_out_check,
  add constraint payout_left_out_reason_check check (reason in ('no_approved_claim', 'below_minimum',
    'unusable_wallet', 'nothing_due', 'account_banned', 'account_deleted')),
  add constraint payout_left_out_check check (
    (reason in ('no_approved_claim', 'account_banned', 'account_deleted')) = (wallet is null)
    and (wallet is null) = (user_id is not null));
