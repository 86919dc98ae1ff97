import { type TestApi, PASSWORD } from '../api.ts'
import { createUsers, type TestUser } from './create-users.ts'

/** Verified participants who can log in with {@link PASSWORD}, which is hashed once for all of them. */
export async function members(api: TestApi, count: number): Promise<TestUser[]> {
  const people = await createUsers(api.db, api.deps.campaign.id, count)
  await api.db
    .updateTable('users')
    .set({ password_hash: await api.deps.hasher.hash(PASSWORD) })
    .where(
      'id',
      'in',
      people.map(({ id }) => id),
    )
    .execute()
  return people
}

export async function member(api: TestApi): Promise<TestUser> {
  const [user] = await members(api, 1)
  if (!user) throw new Error('createUsers returned no user.')
  return user
}
