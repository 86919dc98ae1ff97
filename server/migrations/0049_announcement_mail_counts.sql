-- Emails of a stopped announcement wait, so they do not count as deferred at every look; and those whose recipient has
-- since unsubscribed or been banned have a reason of their own. The texts are those of USELESS in server/platform/jobs.ts,
-- SUPPRESSED in server/domain/mail/deliver.ts, and STOPPED and NOT_WANTED in
-- server/domain/announcements/deliver-announcement.ts.

create or replace function mail_counted() returns trigger language plpgsql as $$
declare
  outcome text := case when new.done_at is not null then 'accepted'
    when new.dead_at is null then 'deferred ' || coalesce(substring(new.last_error from '\m[45]\d\d\M'), 'unreachable')
    else 'failed ' || coalesce(substring(new.last_error from '\m[45]\d\d\M'), case new.last_error
      when 'No longer useful.' then 'late'
      when 'Not sent: this address has refused emails.' then 'suppressed'
      when 'Not sent: this participant has since unsubscribed or been banned.' then 'unwanted' else 'other' end) end;
begin
  insert into daily_counts
    values ('', 'mail', utc_day(now()), left(coalesce(new.payload ->> 'template', ''), 60) || ' ' || outcome, 1);
  return null;
end $$;
drop trigger mail_counted on jobs;
create trigger mail_counted after update on jobs for each row
  when (new.kind in ('mail', 'announcement') and (old.done_at is null and new.done_at is not null
    or old.dead_at is null and new.dead_at is not null
    or old.leased_until is not null and new.leased_until is null and new.last_error <> 'Stopped.'))
  execute function mail_counted();
