-- An approval that a ban revokes leaves the day on which it was given, not that of the ban.

create or replace function claim_counted() returns trigger language plpgsql as $$
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
      from (values ('approved', utc_day(case when new.status = 'approved' then new.decided_at else old.decided_at end)),
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
