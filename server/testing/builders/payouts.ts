import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import pg from 'pg'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Rpc } from '#contract/token-proofs/rpc.ts'
import { ban, liftBan } from '#server/domain/accounts/bans/ban.ts'
import { submitProof } from '#server/domain/claims/submission/submit-proof.ts'
import type { QueuedMail } from '#server/domain/mail/send-later.ts'
import { freeze, type FreezeOptions } from '#server/domain/payouts/freeze/freeze.ts'
import type { Deps } from '#server/deps.ts'
import type { Database } from '#server/platform/database/database.ts'
import defaultCampaign from '../campaign.ts'
import { testApi } from '../api.ts'
import { testNode } from '../deps.ts'
import { queuedMails } from '../queued-mails.ts'
import { createUsers, type TestUser } from './create-users.ts'
import { freshProof } from './proof.ts'
import { reviewerOn } from './reviewer.ts'

type Payout = NonNullable<CampaignFile['payout']>

export const payoutCampaign = (changes: Partial<Payout> = {}): CampaignFile => ({
  ...defaultCampaign,
  payout: { ...(defaultCampaign.payout ?? assert.fail()), ...changes },
})

/** What an approved claim is paid, in the smallest units. */
export const PAID = { pf: 20_000n * 10n ** 18n, pls: 10_000n * 10n ** 18n }

/** An API with payout rates, an administrator, and claims to approve. */
export async function payoutApi(t: TestContext, campaign: CampaignFile = payoutCampaign(), rpc?: Rpc) {
  const api = await testApi(t, { campaign, ...(rpc ? { rpc } : {}) })
  const { deps, db } = api
  const [adm] = await createUsers(db, campaign.id, 1, { role: 'admin' })
  return { ...api, adm, ...claimsOn(deps, adm) }
}

/** Like `payoutApi`, but for calling operations. `whileLocked` locks a table until `work` has returned. */
export async function payoutDeps(t: TestContext, campaign: CampaignFile = payoutCampaign()) {
  const { db, url, ownerUrl, deps } = await testNode(t, campaign)
  const [adm] = await createUsers(db, campaign.id, 1, { role: 'admin' })
  const asOwner = async <T>(run: (client: pg.Client) => Promise<T>) => {
    const client = new pg.Client({ connectionString: ownerUrl })
    await client.connect()
    return run(client).finally(() => client.end())
  }
  const whileLocked = <T>(table: string, work: () => Promise<T>, mode = 'exclusive') =>
    asOwner(async (client) => {
      await client.query(`begin; lock table ${table} in ${mode} mode`)
      return work().finally(() => client.query('commit'))
    })
  const shareWallets = () => asOwner((client) => client.query(SHARE_WALLETS))
  return { deps, db, url, adm, shareWallets, whileLocked, ...claimsOn(deps, adm) }
}

/** Gives all claims one wallet, which an index forbids: only a database that was edited by hand has this. */
const SHARE_WALLETS = `
  drop index claims_wallet;
  alter table claims disable trigger user;
  update claims set wallet = lower((select wallet from claims order by id limit 1))`

export function claimsOn(deps: Deps, adm: TestUser) {
  const reviewer = reviewerOn(deps, adm)
  const claim = async ({ wallet, referredBy }: { wallet?: string; referredBy?: string } = {}) => {
    const [person] = await createUsers(deps.db, deps.campaign.id, 1, referredBy ? { referredBy } : {})
    const proof = { ...freshProof(), ...(wallet ? { wallet } : {}) }
    const submitted = await submitProof(deps, person.id, proof)
    return { ...person, claimId: submitted._id, wallet: submitted.wallet }
  }
  const approveNewClaim = async (...options: Parameters<typeof claim>) => {
    const claimed = await claim(...options)
    await reviewer.approve(claimed.claimId)
    return claimed
  }
  const by = { userId: adm.id }
  const banPerson = ({ id }: Pick<TestUser, 'id'>, { revokesApproval = false } = {}) =>
    ban(deps, { userId: id, reason: 'A test.', revokesApproval, by })
  const liftBanOf = ({ id }: Pick<TestUser, 'id'>) => liftBan(deps, { userId: id, by })
  return { reviewer, claim, approveNewClaim, banPerson, liftBanOf }
}

/** The drift of a freeze that still matches claims, points and bans. */
export const NO_DRIFT = { undone: 0, changed: 0, added: 0, banned: 0, unbanned: 0 }

/** Freezes as the operator. Undecided claims make it refuse. */
export const freezeNow = (deps: Pick<Deps, 'db' | 'campaign'>, changes: Partial<FreezeOptions> = {}) =>
  freeze(deps, { actor: null, maxUndecided: 0, ...changes })

export async function readPaidMails(db: Database): Promise<QueuedMail[]> {
  return (await queuedMails(db)).filter(({ template }) => template === 'payout-paid')
}
