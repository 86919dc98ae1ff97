-- When a setting last named a picture: after that, emails and pages that were sent still show it for a while. Null for
-- one that was uploaded and never used. Of those that are there already nobody knows.
alter table pictures add column last_used_at timestamptz;
update pictures set last_used_at = now();
