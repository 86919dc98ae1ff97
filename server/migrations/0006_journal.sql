-- The journal as a chain that anyone can check. What is sealed holds ids, words and amounts; what is personal
-- (where from, names, texts) stands beside it and can be erased without breaking the chain.
--
-- The role that serves gets no right that an `append_only` trigger refuses (platform/grants.ts).

-- What is personal about an act. The journal holds a salted hash of it, so that what remains is provably unaltered
-- and what was erased cannot be guessed.
create table journal_details (
  entry uuid primary key references journal (id),
  salt bytea not null check (length(salt) = 32),
  content jsonb not null
);
create trigger journal_details_unaltered before update or truncate on journal_details
  for each statement execute function append_only();

alter table journal add column commitment bytea check (length(commitment) = 32);

-- Acts from before the chain: their network moves to the side.
insert into journal_details (entry, salt, content)
  select id, sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), jsonb_build_object('network', network)
  from journal where network is not null;
alter table journal disable trigger journal_append_only;
update journal j set commitment = sha256(convert_to(
    format('{"content":{"network":%s},"salt":"%s"}', to_json(j.network), encode(d.salt, 'hex')), 'UTF8'))
  from journal_details d where d.entry = j.id;
alter table journal enable trigger journal_append_only;
alter table journal drop column network;

-- Words, ids, digests, moments, numbers: nothing by which a person could be told.
create function is_impersonal(document jsonb) returns boolean language sql immutable as $$
  select document is null or not jsonb_path_exists(document, '$.** ? (@.type() == "string" && !(@ like_regex
    "^([a-z][a-z0-9_-]{0,63}|[0-9a-f]{64}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,15}Z)$"))')
$$;
alter table journal
  add constraint journal_action check (action ~ '^[a-z]+\.[a-z_]+$'),
  add constraint journal_impersonal check (is_impersonal(before) and is_impersonal(after));

drop index journal_by_time;
drop index journal_by_subject;
create index journal_by_time on journal (at, id);
create index journal_by_action on journal (action, at, id);
create index journal_by_actor on journal (actor, at, id);
create index journal_by_subject on journal (subject, at, id);

-- Acts that are not sealed yet. Kept by triggers alone: nothing gets out but by being sealed.
create table journal_pending (
  entry uuid primary key references journal (id)
);
insert into journal_pending select id from journal;
create trigger journal_pending_by_triggers before insert or update or delete or truncate on journal_pending
  for each statement when (pg_trigger_depth() = 0) execute function append_only();

-- The chain. A number needs the one before it, so there is no gap; an act is sealed once.
create table journal_seals (
  number bigint primary key check (number >= 1),
  previous bigint generated always as (nullif(number - 1, 0)) stored references journal_seals (number),
  entry uuid not null unique references journal (id),
  hash bytea not null check (length(hash) = 32),
  unique (number, hash)
);
create trigger journal_seals_append_only before update or delete or truncate on journal_seals
  for each statement execute function append_only();

-- What was published on a day: the end of the chain as it was then.
create table journal_heads (
  day date primary key,
  number bigint not null,
  hash bytea not null,
  foreign key (number, hash) references journal_seals (number, hash)
);
create trigger journal_heads_append_only before update or delete or truncate on journal_heads
  for each statement execute function append_only();

-- They run as the owner: the role that serves may not write to the queue.
create function journal_queue() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into journal_pending select id from added;
  return null;
end $$;
create function journal_unqueue() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from journal_pending p using added a where p.entry = a.entry;
  return null;
end $$;
-- Nor may it have them run on a table of its own.
revoke execute on function journal_queue(), journal_unqueue() from public;
create trigger journal_queued after insert on journal referencing new table as added
  for each statement execute function journal_queue();
create trigger journal_unqueued after insert on journal_seals referencing new table as added
  for each statement execute function journal_unqueue();
