-- What a check found, as the name of its sentence and the values in it, so that each reviewer reads it in their language.
-- Null for evidence from before: that has its sentence in English only.
alter table evidence add column found jsonb;
