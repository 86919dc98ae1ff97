-- What administrators read as figures over time: counts by day, from which no person can be told.

-- Where a participant came from when they registered: the host of the page with the link. Null: not known.
alter table registrations add column arrived_from text check (arrived_from ~ '^[a-z0-9.-]{3,60}$');
alter table users add column arrived_from text check (arrived_from ~ '^[a-z0-9.-]{3,60}$');

-- How often something happened on a day (UTC), by kind. Changes are inserted as rows of their own, so that no
-- transaction waits for a counter, and compacted now and then; the sums count. `campaign_id` is empty for what belongs
-- to no campaign. docs/decisions/045-figures-are-counts-by-day.md lists the measures and their parts.
create table daily_counts (
  campaign_id text not null,
  measure text not null,
  day date not null,
  part text not null check (length(part) <= 120),
  amount bigint not null check (amount <> 0)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index daily_counts_order on daily_counts (campaign_id, measure, day, part) include (amount);

create function utc_day(moment timestamptz) returns date language sql immutable as $$
  select (moment at time zone 'UTC')::date
$$;

-- An invitation counts as such wherever its link was found.
create function arrival(referred_by uuid, arrived_from text) returns text language sql immutable as $$
  select case when referred_by is not null then 'invitation' else coalesce(arrived_from, 'direct') end
$$;

create function registrations_counted() returns trigger language plpgsql as $$
begin
  insert into daily_counts
    select '', 'registered', utc_day(created_at), arrival(referred_by, arrived_from), count(*)
    from after_rows group by 3, 4;
  return null;
end $$;
create trigger registrations_counted after insert on registrations
  referencing new table as after_rows for each statement execute function registrations_counted();

create function users_counted() returns trigger language plpgsql as $$
begin
  insert into daily_counts
    select '', 'verified', utc_day(created_at), arrival(referred_by, arrived_from), count(*)
    from after_rows where role = 'user' group by 3, 4;
  return null;
end $$;
create trigger users_counted after insert on users
  referencing new table as after_rows for each statement execute function users_counted();

-- One decision as it is counted: by reviewer, by the risk that its reviewer saw, and by how long the claim had waited.
-- The time is the logarithm of minutes, in eighths of a power of two (STEPS_PER_DOUBLING in server/domain/insights).
create function decision_counts(status text, risk integer, decided_by uuid, submitted_at timestamptz, decided_at timestamptz)
  returns table (measure text, part text) language sql immutable as $$
  values
    ('decided', coalesce(decided_by::text, '') || ' ' || status),
    ('decided_at_risk', risk || ' ' || status),
    ('decided_after', floor(8 * log(2, 1 + greatest(0, extract(epoch from decided_at - submitted_at) / 60)::numeric))::text)
$$;

-- `verified_…` counts a claim on the day on which its participant verified their email: how far those of one day came.
create function claims_counted() returns trigger language plpgsql as $$
begin
  with submitted as (
    select c.*, arrival(u.referred_by, u.arrived_from) as arrival, u.created_at as verified_at
    from after_rows c join users u on u.id = c.user_id)
  insert into daily_counts
    select campaign_id, 'claims', utc_day(submitted_at), status, count(*) from after_rows group by 1, 3, 4
    union all
    select campaign_id, 'submitted', utc_day(submitted_at), arrival, count(*)
      from submitted where attempt = 1 group by 1, 3, 4
    union all
    select campaign_id, 'verified_submitted', utc_day(verified_at), arrival, count(*)
      from submitted where attempt = 1 group by 1, 3, 4
    -- Made-up claims are decided from the start.
    union all
    select campaign_id, 'approved', utc_day(decided_at), arrival, count(*)
      from submitted where status = 'approved' group by 1, 3, 4
    union all
    select campaign_id, 'verified_approved', utc_day(verified_at), arrival, count(*)
      from submitted where status = 'approved' group by 1, 3, 4;
  insert into daily_counts
    select campaign_id, measure, utc_day(decided_at), part, count(*)
    from after_rows, lateral decision_counts(status, risk, decided_by, submitted_at, decided_at)
    where decided_at is not null group by 1, 2, 3, 4;
  return null;
end $$;

-- A claim changes its state, or is decided once more. An approval that was undone no longer counts as one; that there
-- was a decision does.
create function claim_counted() returns trigger language plpgsql as $$
declare
  person record;
begin
  insert into daily_counts values
    (new.campaign_id, 'claims', utc_day(now()), old.status, -1), (new.campaign_id, 'claims', utc_day(now()), new.status, 1);
  if (old.status = 'approved') <> (new.status = 'approved') then
    select arrival(u.referred_by, u.arrived_from) as arrival, utc_day(u.created_at) as verified_on into person
      from users u where u.id = new.user_id;
    insert into daily_counts
      select new.campaign_id, measure, day, person.arrival, case when new.status = 'approved' then 1 else -1 end
      from (values ('approved', utc_day(coalesce(new.decided_at, old.decided_at))),
        ('verified_approved', person.verified_on)) counted (measure, day);
  end if;
  if new.decided_at is not null then
    insert into daily_counts
      select new.campaign_id, measure, utc_day(new.decided_at), part, 1
      from decision_counts(new.status, new.risk, new.decided_by, new.submitted_at, new.decided_at);
    insert into daily_counts
      select new.campaign_id, 'appeals', utc_day(new.decided_at), new.status, 1
      from appeals a where a.claim_id = new.id and a.answered_at is null;
  elsif old.decided_at is not null then
    insert into daily_counts values
      (new.campaign_id, 'undone', utc_day(now()), coalesce(old.decided_by::text, '') || ' ' || old.status, 1);
  end if;
  return null;
end $$;
create trigger claims_counted after insert on claims
  referencing new table as after_rows for each statement execute function claims_counted();
create trigger claim_counted after update on claims for each row
  when ((old.status, old.decided_at) is distinct from (new.status, new.decided_at)) execute function claim_counted();

create function slots_counted() returns trigger language plpgsql as $$
begin
  insert into daily_counts
    select campaign_id, 'slots', utc_day(now()), 'taken', count(*) from after_rows where state <> 'free' group by 1;
  return null;
end $$;
create function slot_counted() returns trigger language plpgsql as $$
begin
  insert into daily_counts values
    (new.campaign_id, 'slots', utc_day(now()), case when new.state = 'free' then 'freed' else 'taken' end, 1);
  return null;
end $$;
create trigger slots_counted after insert on slots
  referencing new table as after_rows for each statement execute function slots_counted();
create trigger slot_counted after update on slots for each row
  when ((old.state = 'free') <> (new.state = 'free')) execute function slot_counted();

create function waiting_list_counted() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into daily_counts
      select campaign_id, 'waiting_list', utc_day(since), 'joined', count(*) from changed_rows group by 1, 3;
  else
    insert into daily_counts
      select campaign_id, 'waiting_list', utc_day(now()), 'left', count(*) from changed_rows group by 1;
  end if;
  return null;
end $$;
create trigger waiting_list_joined after insert on waiting_list
  referencing new table as changed_rows for each statement execute function waiting_list_counted();
create trigger waiting_list_left after delete on waiting_list
  referencing old table as changed_rows for each statement execute function waiting_list_counted();

-- An attempt to hand an email over, by template and outcome. Of what the mail server said only its three digits count:
-- the rest is up to servers of others.
create function mail_counted() returns trigger language plpgsql as $$
declare
  outcome text := case when new.done_at is not null then 'accepted'
    when new.dead_at is null then 'deferred ' || coalesce(substring(new.last_error from '\m[45]\d\d\M'), 'unreachable')
    else 'failed ' || coalesce(substring(new.last_error from '\m[45]\d\d\M'),
      case when new.last_error = 'No longer useful.' then 'late' else 'other' end) end;
begin
  insert into daily_counts
    values ('', 'mail', utc_day(now()), left(coalesce(new.payload ->> 'template', ''), 60) || ' ' || outcome, 1);
  return null;
end $$;
create trigger mail_counted after update on jobs for each row
  when (new.kind = 'mail' and (old.done_at is null and new.done_at is not null
    or old.dead_at is null and new.dead_at is not null
    or old.leased_until is not null and new.leased_until is null and new.last_error is not null))
  execute function mail_counted();

-- What happened before. Of registrations and of slots only what is left can be told.
insert into daily_counts
  select '', 'registered', utc_day(created_at), arrival(referred_by, null), count(*) from users where role = 'user' group by 3, 4
  union all
  select '', 'registered', utc_day(created_at), arrival(referred_by, null), count(*) from registrations group by 3, 4
  union all
  select '', 'verified', utc_day(created_at), arrival(referred_by, null), count(*) from users where role = 'user' group by 3, 4
  union all
  select campaign_id, 'claims', utc_day(coalesce(decided_at, submitted_at)), status, count(*) from claims group by 1, 3, 4
  union all
  select campaign_id, 'submitted', utc_day(submitted_at), arrival(u.referred_by, null), count(*)
    from claims c join users u on u.id = c.user_id where attempt = 1 group by 1, 3, 4
  union all
  select campaign_id, 'verified_submitted', utc_day(u.created_at), arrival(u.referred_by, null), count(*)
    from claims c join users u on u.id = c.user_id where attempt = 1 group by 1, 3, 4
  union all
  select campaign_id, 'approved', utc_day(decided_at), arrival(u.referred_by, null), count(*)
    from claims c join users u on u.id = c.user_id where status = 'approved' group by 1, 3, 4
  union all
  select campaign_id, 'verified_approved', utc_day(u.created_at), arrival(u.referred_by, null), count(*)
    from claims c join users u on u.id = c.user_id where status = 'approved' group by 1, 3, 4
  union all
  select campaign_id, measure, utc_day(decided_at), part, count(*)
    from claims, lateral decision_counts(status, risk, decided_by, submitted_at, decided_at)
    where decided_at is not null group by 1, 2, 3, 4
  union all
  select a.campaign_id, 'appeals', utc_day(c.decided_at), c.status, count(*)
    from appeals a join claims c on c.id = a.claim_id
    where a.answered_at is not null and c.decided_at is not null group by 1, 3, 4
  union all
  select campaign_id, 'slots', utc_day(now()), 'taken', count(*) from slots where state <> 'free' group by 1
  union all
  select campaign_id, 'waiting_list', utc_day(since), 'joined', count(*) from waiting_list group by 1, 3;

-- Those who invited most in a range of days, without reading anyone else.
create index users_invited on users (created_at, referred_by) where referred_by is not null;
