-- The journal names campaigns, whose ids may begin with a digit or a hyphen: `2027-airdrop`. At most 40 characters, so
-- that an address of a wallet, which has 42, stays refused.
create or replace function is_impersonal(document jsonb) returns boolean language sql immutable as $$
  select document is null or not jsonb_path_exists(document, '$.** ? (@.type() == "string" && !(@ like_regex
    "^([a-z][a-z0-9_-]{0,63}|[a-z0-9-]{3,40}|0|[1-9][0-9]{0,77}|[0-9a-f]{64}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,15}Z)$"))')
$$;
