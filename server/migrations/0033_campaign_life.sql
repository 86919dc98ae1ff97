-- A campaign can be paused and resumed, and ends as an archive.

alter table campaigns
  add column paused_at timestamptz,
  -- Shown to everyone while it is paused.
  add column pause_notice text,
  -- When it is expected to go on: an announcement, nothing happens at that time.
  add column pause_until timestamptz,
  add column archived_at timestamptz,
  add check ((paused_at is null) = (pause_notice is null)),
  add check (pause_until is null or paused_at is not null),
  add check (archived_at is null or paused_at is null);

-- When a hold ends if the pause ends now: the time of the pause does not count. A hold lasts 24 hours (SLOT_HOURS in
-- contract/slots.ts), so one that began during the pause is extended only from there. What had expired before stays so.
create function after_pause(until timestamptz, paused_at timestamptz) returns timestamptz language sql volatile as $$
  select case when paused_at is null or until <= paused_at or until = 'infinity' then until
    else until + greatest(clock_timestamp() - greatest(paused_at, until - interval '24 hours'), interval '0') end
$$;
