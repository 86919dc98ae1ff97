-- A claim takes its slot in a single statement.

-- The number of a campaign's next slot: the lowest that was freed, else the first unused one; null while anyone is on the
-- waiting list. Volatile, so that it sees what was committed while its statement waited for the lock of the campaign.
create function next_slot(campaign text) returns integer language sql volatile as $$
  select coalesce(
    (select number from slots where campaign_id = campaign and state = 'free' order by number limit 1),
    (select coalesce(max(number), 0) + 1 from slots where campaign_id = campaign))
  where not exists (select from waiting_list where campaign_id = campaign)
$$;
