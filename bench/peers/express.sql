-- Gives the Express server the participants and sessions of the product.
create schema express;

create table express.players as
  select user_id as id, username, total as points, reached
  from standings join users on users.id = user_id
  where listed;
alter table express.players add primary key (id);
create index on express.players (points desc, reached);

create table express.sessions as
  select encode(token_hash, 'hex') as token_hash, user_id as player_id from sessions;
alter table express.sessions add primary key (token_hash);

create table express.campaigns (id text primary key, slots integer not null, taken integer not null);
insert into express.campaigns values ('campaign', 1000000, 0);

create table express.claims (
  id uuid primary key default gen_random_uuid(),
  player_id uuid not null unique,
  wallet text not null unique,
  telegram text not null unique,
  twitter text not null unique,
  retweet_link text not null unique,
  submitted_at timestamp not null default now()
);
