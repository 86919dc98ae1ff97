-- Which proof a decision is about, and whose a wallet, handle or post is until the claim that showed it is settled.

-- Grows with every change of the proof. A decision names the revision that its reviewer saw.
alter table claims add column revision integer not null default 1 check (revision >= 1);
update claims c set revision = 1 + edits.times
  from (select claim_id, count(*) as times from claim_events where what = 'edited' group by claim_id) edits
  where edits.claim_id = c.id;
create function claim_revised() returns trigger language plpgsql as $$
begin
  new.revision := old.revision + 1;
  return new;
end $$;
create trigger claim_revised before update on claims for each row
  when ((old.wallet, old.telegram, old.twitter, old.post_id, old.retweet_link)
    is distinct from (new.wallet, new.telegram, new.twitter, new.post_id, new.retweet_link))
  execute function claim_revised();

-- The newest revision that a list or card showed to an administrator. Without a row it is the first one.
create table seen_revisions (
  claim_id uuid not null references claims (id) on delete cascade,
  administrator uuid not null references users (id) on delete cascade,
  revision integer not null,
  at timestamptz not null default now(),
  primary key (claim_id, administrator)
);

-- Every wallet, handle and post that a claim showed, also before it was edited. `value`: as it is compared.
create table claim_identifiers (
  campaign_id text not null,
  kind text not null check (kind in ('post', 'telegram', 'twitter', 'wallet')),
  value text not null,
  claim_id uuid not null references claims (id) on delete cascade,
  primary key (campaign_id, kind, value)
);
insert into claim_identifiers
  select c.campaign_id, shown.kind, shown.value, c.id
  from claims c, lateral (values ('post', c.post_id), ('telegram', lower(c.telegram)), ('twitter', lower(c.twitter)),
    ('wallet', lower(c.wallet))) as shown (kind, value)
  where c.decided_at is null or c.decided_at > now() - interval '24 hours'
  order by c.status = 'rejected', c.submitted_at
  on conflict do nothing;

-- Whether a claim still keeps what it showed: it waits, its participant can take the rejection to be a mistake (for
-- as long as a rejected claim keeps its slot, SLOT_HOURS in contract/slots.ts), or said so and was not answered.
create function keeps_identifiers(claim claims) returns boolean language sql stable as $$
  select claim.decided_at is null or claim.decided_at > now() - interval '24 hours'
    or exists (select from appeals a where a.claim_id = claim.id and a.answered_at is null)
$$;

-- A live claim takes what it shows. What another participant's claim keeps is refused as what it shows now is.
create function identifiers_taken() returns trigger language plpgsql as $$
declare
  taken integer;
  shown record;
begin
  -- Always in the order of the kinds, so that two claims never wait for each other.
  insert into claim_identifiers values
    (new.campaign_id, 'wallet', lower(new.wallet), new.id), (new.campaign_id, 'twitter', lower(new.twitter), new.id),
    (new.campaign_id, 'telegram', lower(new.telegram), new.id), (new.campaign_id, 'post', new.post_id, new.id)
    on conflict do nothing;
  get diagnostics taken = row_count;
  if taken = 4 then
    return null;
  end if;
  for shown in
    select i.* from claim_identifiers i where i.campaign_id = new.campaign_id and i.claim_id <> new.id
      and (i.kind, i.value) in (('post', new.post_id), ('telegram', lower(new.telegram)),
        ('twitter', lower(new.twitter)), ('wallet', lower(new.wallet)))
      order by i.kind desc for update
  loop
    -- A statement of its own: it sees what was committed while the row was waited for.
    perform from claims c where c.id = shown.claim_id and c.user_id <> new.user_id and keeps_identifiers(c);
    if found then
      raise exception 'the % is kept by another claim', shown.kind
        using errcode = 'unique_violation', constraint = 'claims_' || shown.kind;
    end if;
    update claim_identifiers i set claim_id = new.id
      where i.campaign_id = shown.campaign_id and i.kind = shown.kind and i.value = shown.value;
  end loop;
  -- Those that were removed while this waited for their rows.
  insert into claim_identifiers values
    (new.campaign_id, 'wallet', lower(new.wallet), new.id), (new.campaign_id, 'twitter', lower(new.twitter), new.id),
    (new.campaign_id, 'telegram', lower(new.telegram), new.id), (new.campaign_id, 'post', new.post_id, new.id)
    on conflict do nothing;
  return null;
end $$;
create trigger identifiers_taken_at_first after insert on claims for each row
  when (new.status <> 'rejected') execute function identifiers_taken();
create trigger identifiers_taken after update on claims for each row
  when (new.status <> 'rejected' and (old.status = 'rejected' or old.revision <> new.revision))
  execute function identifiers_taken();
