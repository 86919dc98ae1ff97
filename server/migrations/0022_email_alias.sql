-- The signal of two spellings of one email gets the field's name.

alter table signals drop constraint signals_kind_check;
update signals set kind = 'email-alias' where kind = 'email-twin';
alter table signals add constraint signals_kind_check check (kind in ('email-alias', 'reused-proof', 'same-text',
  'disposable-email', 'shared-network', 'referral-ring', 'quick-proof', 'referral-star'));

update account_links set kind = 'email-alias' where kind = 'email-twin';
