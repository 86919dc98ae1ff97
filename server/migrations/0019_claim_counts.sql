-- The review screen's numbers no longer grow with the claims.

lock table claims in share row exclusive mode;

-- How many claims there are of each kind: first attempts, decided ones, of a risk. Changes are inserted as rows of
-- their own, so that no transaction waits for a counter, and compacted now and then; the sums count.
create table claim_counts (
  campaign_id text not null,
  is_first boolean not null,
  is_decided boolean not null,
  risk_order integer not null,
  claims integer not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index claim_counts_order on claim_counts (campaign_id, is_first, is_decided, risk_order) include (claims);

insert into claim_counts
  select campaign_id, attempt = 1, decided_at is not null, risk_order, count(*) from claims group by 1, 2, 3, 4;

create function claims_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into claim_counts
      select campaign_id, attempt = 1, decided_at is not null, risk_order, count(*) from after_rows group by 1, 2, 3, 4;
  elsif tg_op = 'DELETE' then
    insert into claim_counts
      select campaign_id, attempt = 1, decided_at is not null, risk_order, -count(*) from before_rows group by 1, 2, 3, 4;
  else
    insert into claim_counts
      select campaign_id, attempt = 1, decided_at is not null, risk_order, sum(claims) from (
        select campaign_id, attempt, decided_at, risk_order, -1 as claims from before_rows
        union all select campaign_id, attempt, decided_at, risk_order, 1 from after_rows) changed
      group by 1, 2, 3, 4 having sum(claims) <> 0;
  end if;
  return null;
end $$;
create trigger claims_inserted after insert on claims
  referencing new table as after_rows for each statement execute function claims_changed();
create trigger claims_updated after update on claims
  referencing old table as before_rows new table as after_rows for each statement execute function claims_changed();
create trigger claims_deleted after delete on claims
  referencing old table as before_rows for each statement execute function claims_changed();

-- The list of those who submitted: its pages are counted off without reading a claim.
drop index claims_by_submission;
create index claims_first_attempts on claims (campaign_id, submitted_at, id) include (user_id) where attempt = 1;

-- The identifiers of a claim, which are deleted with it or once it is settled.
create index claim_identifiers_by_claim on claim_identifiers (claim_id);

-- Abandoned jobs, for the metrics.
create index jobs_dead on jobs (kind) where dead_at is not null;
