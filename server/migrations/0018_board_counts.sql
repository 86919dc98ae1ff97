-- A page of the leaderboard is found by a search in a tree of counts instead of a sum over all buckets.

lock table standings, ledger in share row exclusive mode;
drop trigger standings_changed on standings;
drop trigger ledger_credited on ledger;
drop table standings_counts;

-- How many listed participants each bucket has. Level 0: those with equal points and one of 64 consecutive values of
-- `reached`; each higher level: 64 buckets of the level below. Only the compaction writes here.
create table standings_counts (
  campaign_id text not null,
  level smallint not null check (level between 0 and 3),
  rank_key bigint not null,
  bucket bigint not null,
  people integer not null check (people <> 0),
  primary key (campaign_id, level, rank_key, bucket)
) with (fillfactor = 80);

-- What has changed in the buckets of level 0 since the compaction. Only inserted, so that no transaction waits for a
-- counter; every reader adds these changes to the counts.
create table standings_changes (
  campaign_id text not null,
  rank_key bigint not null,
  bucket bigint not null,
  people integer not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index standings_changes_order on standings_changes (campaign_id, rank_key, bucket) include (people);

insert into standings_counts
  select campaign_id, level, rank_key, reached >> 6 * (level + 1), count(*)
  from standings, generate_series(0, 3) level
  where listed group by 1, 2, 3, 4;

create or replace function standings_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into standings_changes
      select campaign_id, rank_key, reached >> 6, count(*) from after_rows where listed group by 1, 2, 3;
  elsif tg_op = 'DELETE' then
    insert into standings_changes
      select campaign_id, rank_key, reached >> 6, -count(*) from before_rows where listed group by 1, 2, 3;
  else
    insert into standings_changes
      select campaign_id, rank_key, reached >> 6, sum(people) from (
        select campaign_id, rank_key, reached, -1 as people from before_rows where listed
        union all select campaign_id, rank_key, reached, 1 from after_rows where listed) changed
      group by 1, 2, 3 having sum(people) <> 0;
  end if;
  return null;
end $$;
create trigger standings_inserted after insert on standings
  referencing new table as after_rows for each statement execute function standings_changed();
create trigger standings_updated after update on standings
  referencing old table as before_rows new table as after_rows for each statement execute function standings_changed();
create trigger standings_deleted after delete on standings
  referencing old table as before_rows for each statement execute function standings_changed();

-- One update of a standing for all credits of a statement, in the order of their ids. By primary key, also before the
-- first statistics: the plan outlives them.
create or replace function ledger_credited() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  missing record;
begin
  with sums as (
    select campaign_id, user_id, coalesce(sum(amount) filter (where kind = 'pf'), 0) as pf,
      coalesce(sum(amount) filter (where kind = 'pls'), 0) as pls,
      coalesce(sum(amount) filter (where kind = 'referral'), 0) as referral
    from after_rows group by campaign_id, user_id order by min(id::text)),
  credited as (select *, nextval('standings_reached') as reached from sums),
  updated as (
    update standings s set pf = s.pf + c.pf, pls = s.pls + c.pls, referral = s.referral + c.referral, reached = c.reached
    from credited c where s.campaign_id = c.campaign_id and s.user_id = c.user_id returning s.campaign_id, s.user_id)
  select campaign_id, user_id into missing from credited except select campaign_id, user_id from updated;
  if found then
    raise exception 'no standing for user % in campaign %', missing.user_id, missing.campaign_id;
  end if;
  return null;
end $$;
create trigger ledger_credited after insert on ledger
  referencing new table as after_rows for each statement execute function ledger_credited();
