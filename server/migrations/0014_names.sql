-- The key of a name is what it looks like, so that nobody takes a name that could pass for another's: lower case,
-- without dots, dashes and underscores, "rn" as "m", "vv" as "w", "1" and "i" as "l", "0" as "o" (skeletonOf in
-- server/accounts/rules.ts). Of older names that look alike one has that key, an administrator's first, then the
-- oldest; the others stay as they are, under a key that no new name can have.
update usernames set key = '=' || key;
with ranked as (
  select n.key, s.skeleton,
    row_number() over (
      partition by s.skeleton
      order by (n.user_id is null), (u.role = 'admin') desc, u.created_at, n.held_until, n.key
    ) as place
  from usernames n
  left join users u on u.id = n.user_id
  cross join lateral (
    select translate(replace(replace(translate(n.key, '=._-', ''), 'rn', 'm'), 'vv', 'w'), '1i0', 'llo') as skeleton
  ) s
)
update usernames n set key = r.skeleton
from ranked r
where r.key = n.key and r.place = 1 and r.skeleton <> '';

-- The browser that asked for a registration, so that nobody else's takes its place.
alter table registrations add column asked_by text;
