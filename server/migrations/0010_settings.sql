-- The campaign file that was last followed, so that a change of it can be seen and journalled.

alter table campaigns add column settings jsonb;
