-- A bucket's counts are one row instead of one each, and the totals of a campaign another: a page of the leaderboard
-- read up to 64 rows a level, scattered over the table, and one for each total.

lock table standings_counts in access exclusive mode;
alter table standings_counts rename to old_counts;
alter index standings_counts_pkey rename to old_counts_pkey;

-- How many listed participants are in the parts of each bucket: of level 1, those with equal points and one of 4,096
-- consecutive values of `reached`, in parts of 64 values; of level 2, 64 buckets of level 1; of level 3, all with equal
-- points, each part a bucket of level 2. `upto` has the number in each part and those before it; parts after its end
-- are empty. Only the compaction writes here.
create table standings_counts (
  campaign_id text not null,
  level smallint not null check (level between 1 and 3),
  rank_key bigint not null,
  bucket bigint not null,
  upto integer[] not null,
  primary key (campaign_id, level, rank_key, bucket)
) with (fillfactor = 80);

-- How many listed participants have each total or are before it, in the order of `rank_keys`.
create table standings_totals (
  campaign_id text primary key,
  rank_keys bigint[] not null,
  upto integer[] not null
);

-- Counts with what has changed in some parts; `changed` has the sums of the changes up to each of `parts`, which ascend
-- from 0.
create function add_to_counts(upto integer[], parts integer[], changed integer[]) returns integer[] language sql immutable as $$
  select array(
    select coalesce(upto[part + 1], upto[cardinality(upto)], 0) + coalesce(changed[width_bucket(part, parts)], 0)
    from generate_series(0, greatest(cardinality(upto), parts[cardinality(parts)] + 1) - 1) part
    order by part)
$$;

insert into standings_counts
  select campaign_id, level, rank_key, bucket, add_to_counts('{}', array_agg(part order by part), array_agg(upto order by part))
  from (
    select campaign_id, level + 1 as level, rank_key, above.bucket, (old.bucket - (above.bucket << 6))::integer as part,
      (sum(people) over (partition by campaign_id, level, rank_key, above.bucket order by old.bucket))::integer as upto
    from old_counts old, lateral (select case level when 2 then 0 else old.bucket >> 6 end) above (bucket)
    where level < 3) counted
  group by campaign_id, level, rank_key, bucket;

insert into standings_totals
  select campaign_id, array_agg(rank_key order by rank_key), array_agg(upto order by rank_key)
  from (
    select campaign_id, rank_key, (sum(sum(people)) over (partition by campaign_id order by rank_key))::integer as upto
    from old_counts where level = 3 group by campaign_id, rank_key having sum(people) <> 0) counted
  group by campaign_id;
drop table old_counts;

-- Where the page after the first `skip` participants begins: among the standings from (`rank_key`, `reached`) on, after
-- the first `skipped`, less than 64. `people` is how many the leaderboard lists; beyond them no page begins. Reads a row
-- for the totals and one at each level, and what has changed in them since the compaction, by standings_counts_pkey and
-- standings_changes_order also before the first statistics: its plans outlive them.
create function page_start(campaign text, skip bigint,
    out people integer, out rank_key bigint, out reached bigint, out skipped integer)
  language plpgsql stable set enable_seqscan = off as $$
declare
  has_changes boolean := exists (select from standings_changes c where c.campaign_id = campaign);
  totals standings_totals;
  node bigint := 0;
  counts integer[];
  parts integer[];
  changed integer[];
  part integer;
begin
  select t.* into totals from standings_totals t where t.campaign_id = campaign;
  if has_changes then
    select array_agg(c.rank_key order by c.rank_key), array_agg(c.upto order by c.rank_key)
      into totals.rank_keys, totals.upto
    from (
      select counted.rank_key, (sum(sum(counted.people)) over (order by counted.rank_key))::integer as upto
      from (
        select t.rank_key, t.upto - coalesce(totals.upto[t.place - 1], 0) as people
          from unnest(totals.rank_keys, totals.upto) with ordinality t (rank_key, upto, place)
        union all
        select c.rank_key, c.people from standings_changes c where c.campaign_id = campaign) counted
      group by counted.rank_key) c;
  end if;
  people := coalesce(totals.upto[cardinality(totals.upto)], 0);
  if skip >= people then
    return;
  end if;
  part := width_bucket(skip::integer, totals.upto);
  skipped := skip - coalesce(totals.upto[part], 0);
  rank_key := totals.rank_keys[part + 1];
  for depth in reverse 3..1 loop
    counts := (
      select c.upto from standings_counts c
      where c.campaign_id = campaign and c.level = depth
        and c.rank_key = page_start.rank_key and c.bucket = node);
    if has_changes then
      select array_agg(c.part order by c.part), array_agg(c.changed order by c.part) into parts, changed
      from (
        select counted.part, (sum(sum(counted.people)) over (order by counted.part))::integer as changed
        from (
          select ((c.bucket >> 6 * (depth - 1)) - (node << 6))::integer as part, c.people
          from standings_changes c
          where c.campaign_id = campaign and c.rank_key = page_start.rank_key and c.bucket >= node << 6 * depth
            and c.bucket < case depth when 3 then 9223372036854775807 else node + 1 << 6 * depth end) counted
        group by counted.part) c;
      if parts is not null then
        counts := add_to_counts(counts, parts, changed);
      end if;
    end if;
    part := width_bucket(skipped, counts);
    skipped := skipped - coalesce(counts[part], 0);
    node := (node << 6) + part;
  end loop;
  reached := node << 6;
end $$;

-- How many listed participants are before a standing: what its bucket at each level counts before it, what has changed
-- there since the compaction, and the standings of the last 64 values, by standings_counts_pkey,
-- standings_changes_order and standings_order.
create function listed_before(campaign text, rank_key bigint, reached bigint) returns integer
  language plpgsql stable set enable_seqscan = off as $$
declare
  before integer;
  counts integer[];
begin
  before := coalesce((
    select t.upto[width_bucket(listed_before.rank_key - 1, t.rank_keys)]
    from standings_totals t where t.campaign_id = campaign), 0);
  for depth in 1..3 loop
    counts := (
      select c.upto from standings_counts c
      where c.campaign_id = campaign and c.level = depth and c.rank_key = listed_before.rank_key
        and c.bucket = case depth when 3 then 0 else listed_before.reached >> 6 * (depth + 1) end);
    before := before + coalesce(counts[least(
      (listed_before.reached >> 6 * depth) - case depth when 3 then 0 else listed_before.reached >> 6 * (depth + 1) << 6 end,
      cardinality(counts))], 0);
  end loop;
  before := before + coalesce((
    select sum(c.people) from standings_changes c
    where c.campaign_id = campaign and (c.rank_key, c.bucket) < (listed_before.rank_key, listed_before.reached >> 6)), 0);
  return before + (
    select count(*) from standings s
    where s.campaign_id = campaign and s.listed and s.rank_key = listed_before.rank_key
      and s.reached >= listed_before.reached >> 6 << 6 and s.reached < listed_before.reached);
end $$;
