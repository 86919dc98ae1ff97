import type * as Account from '#messages/account.js'
import type * as Airdrop from '#messages/airdrop.js'
import type * as Dashboard from '#messages/dashboard-frame.js'
import type * as Leaderboard from '#messages/leaderboard.js'
import type * as Profile from '#messages/profile.js'
import type * as Proof from '#messages/proof.js'
import type * as Register from '#messages/register.js'
import type { Locale } from '#contract/locales.ts'

/** The texts of the journey from registration to approval. */
export type Texts = typeof Account &
  typeof Airdrop &
  typeof Dashboard &
  typeof Leaderboard &
  typeof Profile &
  typeof Proof &
  typeof Register

const NAMESPACES = ['account', 'airdrop', 'dashboard-frame', 'leaderboard', 'profile', 'proof', 'register']

/** The texts in a language, as its catalogue has them. */
export async function textsIn(locale: Locale): Promise<Texts> {
  const modules = await Promise.all(
    NAMESPACES.map(async (name) => (await import(`#catalogue/${locale}/${name}.js`)) as object),
  )
  return Object.assign({}, ...modules) as Texts
}
