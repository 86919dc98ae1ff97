-- Slots as rows, decisions that can be taken back, and what participants are told.

-- Who holds which slot; as many rows that are not free as campaigns.slots_taken says. `kept`: by a rejected claim, `reserved`: for the next of the waiting list, both until a
-- time; `free`: given before and to be given again. A number that was never given has no row.
create table slots (
  campaign_id text not null references campaigns (id),
  number integer not null check (number >= 1),
  user_id uuid references users (id),
  state text not null check (state in ('claimed', 'kept', 'reserved', 'free')),
  until timestamptz,
  primary key (campaign_id, number),
  constraint slots_one_a_person unique (campaign_id, user_id),
  unique (campaign_id, number, user_id),
  check ((state = 'free') = (user_id is null)),
  check ((state in ('kept', 'reserved')) = (until is not null))
);
create index slots_free on slots (campaign_id, number) where state = 'free';
create index slots_by_end on slots (campaign_id, until) where until is not null;

create table waiting_list (
  campaign_id text not null references campaigns (id),
  user_id uuid not null references users (id) on delete cascade,
  -- The order of joining.
  ticket bigint not null generated always as identity,
  since timestamptz not null default now(),
  primary key (campaign_id, user_id)
);
create unique index waiting_list_order on waiting_list (campaign_id, ticket);

insert into slots (campaign_id, number, user_id, state)
  select campaign_id, slot, user_id, 'claimed' from claims where status <> 'rejected';
insert into slots (campaign_id, number, user_id, state, until)
  select distinct on (campaign_id, user_id) campaign_id, slot, user_id, 'kept', now() + interval '24 hours'
  from claims where status = 'rejected' order by campaign_id, user_id, attempt desc
  on conflict do nothing;
update campaigns c set slots_taken = (select count(*) from slots s where s.campaign_id = c.id);

-- A held claim waits for a decision of its own. The risk is the sum of the weights of its signals.
alter table claims
  drop constraint claims_status_check,
  add constraint claims_status_check check (status in ('submitted', 'under_review', 'held', 'approved', 'rejected')),
  add column reason_code text check (reason_code in ('post_missing', 'post_of_other', 'post_incomplete',
    'task_not_done', 'not_in_group', 'wallet_unusable', 'same_person', 'automated', 'other')),
  add column held_for text[] check (cardinality(held_for) between 1 and 20),
  add column risk integer not null default 0 check (risk between 0 and 1000000),
  add column risk_order integer not null generated always as (-risk) stored,
  -- The first lock or decision; from then on the proof stays as it is.
  add column review_started_at timestamptz;
update claims set reason_code = 'other' where status = 'rejected';
alter table claims
  add constraint claims_reason check ((status = 'rejected') = (reason_code is not null)),
  add constraint claims_held check (status <> 'held' or held_for is not null),
  -- A live claim has a slot, and it is its participant's.
  add column held_slot integer generated always as (case when status <> 'rejected' then slot end) stored,
  add column held_by uuid generated always as (case when status <> 'rejected' then user_id end) stored,
  add constraint claims_hold_slot foreign key (campaign_id, held_slot, held_by)
    references slots (campaign_id, number, user_id) deferrable initially deferred;
drop index claims_slot;
create unique index claims_slot on claims (campaign_id, held_slot);

-- The desk's orders: a page costs the same however many wait. Few, because every claim is planned with them.
create index claims_waiting on claims (campaign_id, submitted_at, id) where decided_at is null;
create index claims_waiting_by_risk on claims (campaign_id, risk_order, submitted_at, id) where decided_at is null;
create index claims_decided on claims (campaign_id, decided_at desc, id desc) where decided_at is not null;

-- What the desk's search begins with, whatever the collation of the database.
create index users_by_name_prefix on users (lower(username) text_pattern_ops);
create index users_by_email_prefix on users (email_key text_pattern_ops);
create index claims_by_wallet_prefix on claims (campaign_id, lower(wallet) text_pattern_ops);
create index claims_by_telegram_prefix on claims (campaign_id, lower(telegram) text_pattern_ops);
create index claims_by_twitter_prefix on claims (campaign_id, lower(twitter) text_pattern_ops);

-- What a participant sees as the timeline.
create table claim_events (
  id uuid primary key,
  claim_id uuid not null references claims (id) on delete cascade,
  what text not null check (what in ('received', 'edited', 'corrected', 'under_review', 'held', 'appealed', 'approved',
    'rejected', 'reopened', 'slot_freed')),
  reason_code text,
  reason text,
  at timestamptz not null default now(),
  check (reason_code is null or what = 'rejected')
);
create index claim_events_by_claim on claim_events (claim_id, at, id);
insert into claim_events (id, claim_id, what, at)
  select gen_random_uuid(), id, case when attempt = 1 then 'received' else 'corrected' end, submitted_at from claims;
insert into claim_events (id, claim_id, what, reason_code, reason, at)
  select gen_random_uuid(), id, status, reason_code, case when status = 'rejected' then reason end, decided_at
  from claims where status in ('approved', 'rejected');

-- One appeal an attempt.
create table appeals (
  claim_id uuid primary key references claims (id) on delete cascade,
  campaign_id text not null references campaigns (id),
  text text not null check (char_length(text) between 1 and 1000),
  at timestamptz not null default now(),
  answered_at timestamptz
);
create index appeals_open on appeals (campaign_id, claim_id) where answered_at is null;

-- Which reviewer has a claim open. A lease: without renewal it runs out.
create table review_locks (
  claim_id uuid primary key references claims (id) on delete cascade,
  reviewer uuid not null references users (id),
  until timestamptz not null
);

-- A credit can be taken back and given again: each time it is another round, and the one before must have been
-- taken back. A reversal is the exact opposite of the row that it names.
alter table ledger add column round integer not null default 1;
drop index ledger_one_credit;
create unique index ledger_one_credit on ledger (claim_id, user_id, kind, round) where reverses is null;
create index ledger_by_claim on ledger (claim_id);

create function ledger_checked() returns trigger language plpgsql as $$
begin
  if new.reverses is null then
    select 1 + count(*) into new.round from ledger
    where claim_id = new.claim_id and user_id = new.user_id and kind = new.kind and reverses is not null;
  elsif not exists (
    select from ledger taken where taken.id = new.reverses and taken.reverses is null
      and taken.campaign_id = new.campaign_id and taken.user_id = new.user_id and taken.kind = new.kind
      and taken.claim_id = new.claim_id and taken.amount = -new.amount) then
    raise exception 'a reversal is the opposite of the credit it names' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger ledger_checked before insert on ledger for each row execute function ledger_checked();
