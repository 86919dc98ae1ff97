-- A session that a browser made counts together with what that browser keeps; null for a plain bearer.
alter table sessions add column binding_hash bytea check (length(binding_hash) = 32);

-- The device, known to the account, that asked for a reset code; null for strangers, who have budgets of their own.
alter table codes add column asked_by text;
