-- Who asked for announcements, and when: it is asked at registration and never assumed. Null: they did not.

alter table registrations add column announcements_at timestamptz;
alter table users add column announcements_at timestamptz;
