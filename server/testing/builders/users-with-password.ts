import { type TestApi, PASSWORD } from '../api.ts'
import { createUsers, type TestUser, type Users } from './create-users.ts'

/** Verified participants who can log in with {@link PASSWORD}. It is hashed once for all of them. */
export async function createUsersWithPassword<Count extends number>(
  { db, deps }: TestApi,
  count: Count,
): Promise<Users<Count>> {
  return createUsers(db, deps.campaign.id, count, { passwordHash: await deps.hasher.hash(PASSWORD) })
}

export async function createUserWithPassword(api: TestApi): Promise<TestUser> {
  const [user] = await createUsersWithPassword(api, 1)
  return user
}
