import type { User } from '#contract/entities.ts'
import type { BodyOf } from '#contract/protocol/endpoint.ts'
import type { setUp as endpoint } from '#contract/accounts/setup.ts'
import type { Deps } from '#server/deps.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { prepareAdministrator } from '../accounts/create-administrator.ts'
import { readUser } from '../accounts/user.ts'
import { deviceFor } from '../sessions/devices.ts'
import type { LoginSource } from '../sessions/login.ts'
import { startSession } from '../sessions/session.ts'
import { checkLink, lockSetupLinks, spendLink } from './links.ts'

/**
 * Creates the first administrator with a setup link, and starts a session. The link is checked before the
 * password is hashed, which is expensive, and again under the lock.
 * @throws the refusals of {@link checkLink}, and `invalid_input` naming the field.
 */
export async function setUp(
  deps: Deps,
  { token, ...account }: BodyOf<typeof endpoint>,
  /** The browser's cookies, and its address and program for the list of sessions. */
  browser: Omit<LoginSource, 'network'>,
): Promise<{ sessionToken: string; user: User; newDeviceCookie: string }> {
  await checkLink(deps.db, token)
  const create = await prepareAdministrator(deps, account)
  const { userId, passwordHash, sessionToken } = await inTransaction(deps.db, async (tx) => {
    await lockSetupLinks(tx)
    await checkLink(tx, token)
    const created = await create(tx)
    await spendLink(tx, token)
    return { ...created, sessionToken: await startSession(tx, created.userId, browser) }
  })
  return {
    sessionToken,
    user: await readUser(deps.db, deps.campaign.id, userId),
    // Later logins from this browser are not limited by guesses from elsewhere.
    newDeviceCookie: deviceFor(deps.keys, { id: userId, password_hash: passwordHash }, browser.deviceCookie),
  }
}
