-- Webhooks: the addresses of a community's own programs, what they were told, and how they answered.

create table webhooks (
  id uuid primary key,
  url text not null check (length(url) between 1 and 2048),
  events text[] not null check (cardinality(events) between 1 and 20),
  -- Encrypted: the key stays outside the database.
  secret bytea not null,
  is_enabled boolean not null default true,
  -- Why the program disabled it; null if an administrator did, or nobody.
  disabled_because text check (disabled_because in ('failing', 'gone')),
  created_at timestamptz not null default now(),
  check (not is_enabled or disabled_because is null)
);

create table webhook_deliveries (
  -- The webhook-id of every attempt and every replay.
  id uuid primary key,
  webhook_id uuid not null references webhooks (id) on delete cascade,
  event text not null,
  data jsonb not null,
  -- When it happened.
  created_at timestamptz not null default clock_timestamp(),
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  -- Of the last attempt: what the receiver answered, or why there is no answer.
  attempts integer not null default 0 check (attempts >= 0),
  attempted_at timestamptz,
  latency_ms integer check (latency_ms >= 0),
  status integer,
  answer text check (length(answer) <= 500),
  failure text,
  check ((attempts = 0) = (attempted_at is null))
);
create index webhook_deliveries_latest on webhook_deliveries (webhook_id, created_at desc, id desc);
create index webhook_deliveries_by_age on webhook_deliveries (created_at);

-- Queues a message to each webhook that listens, in the transaction of what happened. The lock lets a webhook that is
-- being removed go first, instead of failing what happened. Not `language sql`, which would plan it at each call.
create function queue_webhooks(happened text, about jsonb) returns void language plpgsql as $$
begin
  with listening as (
    select id from webhooks where is_enabled and happened = any (events) for key share),
  queued as (
    insert into webhook_deliveries (id, webhook_id, event, data)
    select gen_random_uuid(), id, happened, about from listening returning id, webhook_id)
  insert into jobs (id, kind, payload)
  select id, 'webhook ' || webhook_id, jsonb_build_object('delivery', id) from queued;
end $$;

-- Whether the last message said that the slots are gone. A slot for which someone waits is not free.
alter table campaigns add column slots_told_gone boolean not null default false;
update campaigns c set slots_told_gone = true
  where slots_taken >= slots_total or exists (select from waiting_list where campaign_id = c.id);

create function tell_of_slots() returns trigger language plpgsql as $$
declare
  about text;
  campaign campaigns;
begin
  if tg_table_name = 'campaigns' then about := new.id; else about := old.campaign_id; end if;
  update campaigns c set slots_told_gone = not slots_told_gone
    where id = about and slots_told_gone <>
      (slots_taken >= slots_total or exists (select from waiting_list where campaign_id = about))
    returning c.* into campaign;
  if found then
    perform queue_webhooks(case when campaign.slots_told_gone then 'slots.gone' else 'slots.free' end,
      jsonb_build_object('campaign', about, 'total', campaign.slots_total,
        'left', case when campaign.slots_told_gone then 0 else campaign.slots_total - campaign.slots_taken end));
  end if;
  return null;
end $$;

-- At the commit, so that a slot that changes hands within a transaction is no news.
create constraint trigger campaigns_slots_told after update of slots_taken, slots_total on campaigns
  deferrable initially deferred for each row
  when ((new.slots_taken >= new.slots_total) is distinct from (old.slots_taken >= old.slots_total))
  execute function tell_of_slots();
create constraint trigger waiting_list_slots_told after delete on waiting_list
  deferrable initially deferred for each row execute function tell_of_slots();
