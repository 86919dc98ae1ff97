-- Registering read all held and taken usernames, and for each registration that was verified, replaced or purged, a
-- foreign key read all codes: with 200,000 codes, purging a hundred registrations took 8 s.
create index codes_by_registration on codes (registration_id) where registration_id is not null;
create index usernames_by_holder on usernames (held_for) where held_for is not null;
