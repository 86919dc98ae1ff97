#!/bin/sh
# The PostgreSQL image runs this once, on an empty volume. One role owns and migrates, the other serves.
set -eu
psql -v ON_ERROR_STOP=1 -v owner="$OWNER_PASSWORD" -v serving="$SERVING_PASSWORD" \
  --username "${POSTGRES_USER:-postgres}" --dbname postgres <<'SQL'
create role dropwright login password :'owner';
create role dropwright_serving login password :'serving';
create database dropwright owner dropwright;
-- Without a password, the superuser can log in only from inside the container.
alter role current_user password null;
SQL
