-- Gives Strapi the participants of the product.
insert into strapi.players (document_id, username, points, reached, created_at, updated_at, published_at)
  select user_id, username, total, reached, now(), now(), now()
  from standings join users on users.id = user_id
  where listed;
-- Strapi would not create this index.
create index on strapi.players (points desc, reached);
