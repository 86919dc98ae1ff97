-- The language that an account has chosen; null until then.

alter table users
  drop constraint users_deleted,
  alter column locale drop not null,
  alter column locale drop default;
-- Nobody could choose before.
update users set locale = null;
alter table users
  add constraint users_deleted check (deleted_at is null or (banned_at is not null and ban_reason is null
    and role = 'user' and role_offered_at is null and username = 'deleted' and email = '' and email_key = id::text
    and canonical_email = id::text and password_hash = '' and referral_code = id::text and locale is null
    and announcements_at is null)),
  -- BCP 47. Which languages there are is known to the program.
  add constraint users_locale check (char_length(locale) <= 35);

alter table registrations
  alter column locale drop not null,
  alter column locale drop default;
update registrations set locale = null;
alter table registrations add constraint registrations_locale check (char_length(locale) <= 35);
