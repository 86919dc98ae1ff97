-- Columns and a kind of job get the names that the code uses.

-- What spellings of one address have in common.
alter table users rename column email_twin to canonical_email;
alter index users_by_twin rename to users_by_canonical_email;

-- A run of 1,024 consecutive standings.
alter table standings_counts rename column stretch to bucket;

-- What requested a registration or a reset code.
alter table registrations rename column asked_by to browser;
alter table codes rename column asked_by to device;

-- Queued scorings run under the new name.
update jobs set kind = 'score-claim' where kind = 'weigh-claim';
