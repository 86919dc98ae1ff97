import { type TestApi, PASSWORD } from '../api.ts'
import { createUsers, type TestUser } from './create-users.ts'

/** Verified participants who can log in with {@link PASSWORD}, which is hashed once for all of them. */
export async function members({ db, deps }: TestApi, count: number): Promise<TestUser[]> {
  return createUsers(db, deps.campaign.id, count, { passwordHash: await deps.hasher.hash(PASSWORD) })
}

export async function member(api: TestApi): Promise<TestUser> {
  const [user] = await members(api, 1)
  if (!user) throw new Error('createUsers returned no user.')
  return user
}
