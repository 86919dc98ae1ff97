-- Until when a kept slot would be kept without the appeal that suspends its expiry; means nothing while `until` is not
-- 'infinity'. A pause extends it, too.
alter table slots add column until_without_appeal timestamptz;
update slots s set until_without_appeal = c.decided_at + interval '24 hours'
  from claims c join appeals a on a.claim_id = c.id and a.answered_at is null
  where s.until = 'infinity' and c.campaign_id = s.campaign_id and c.user_id = s.user_id and c.status = 'rejected';
