import { type TestApi, PASSWORD } from '../api.ts'
import { createUsers, type TestUser, type UserOptions, type Users } from './create-users.ts'

type Node = Pick<TestApi, 'db' | 'deps'>

/** Verified participants who can log in with {@link PASSWORD}. It is hashed once for all of them. */
export async function createUsersWithPassword<Count extends number>(
  { db, deps }: Node,
  count: Count,
  options: UserOptions = {},
): Promise<Users<Count>> {
  const passwordHash = await deps.hasher.hash(PASSWORD)
  return createUsers(db, deps.campaign.id, count, { ...options, passwordHash })
}

export async function createUserWithPassword(api: Node, options?: UserOptions): Promise<TestUser> {
  const [user] = await createUsersWithPassword(api, 1, options)
  return user
}
