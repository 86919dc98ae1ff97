import { sql } from 'kysely'
import type { ProvenWallet } from '#contract/accounts/wallets.ts'
import type { Deps } from '#server/deps.ts'
import { type Database, inTransaction, type Tx, violatedUnique } from '#server/platform/database/database.ts'
import { NOW } from '#server/platform/database/times.ts'
import { refuse } from '#server/platform/refusal.ts'
import { lockOwnAccount } from '../accounts/lock-account.ts'
import { lockLiveClaim } from '../claims/decisions/lock-claim.ts'
import { hasApprovedClaim } from '../claims/latest-claim.ts'
import { announceClaim } from '../events/announce.ts'
import { recheck } from '../evidence/start-checks.ts'
import { record } from '../journal/record.ts'

export async function readProvenWallet(
  db: Database | Tx,
  campaignId: string,
  userId: string,
): Promise<ProvenWallet | null> {
  const wallet = await db
    .selectFrom('proven_wallets')
    .select(['address', 'kind', 'since'])
    .where('campaign_id', '=', campaignId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!wallet) return null
  const kind = wallet.kind === 'contract' ? 'contract' : 'account'
  return { address: wallet.address, kind, since: wallet.since.toISOString() }
}

type Actor = { userId: string; network: string }
type Wallet = Pick<ProvenWallet, 'address' | 'kind'>

/**
 * Replaces the participant's proven wallet.
 * @throws refusals `wallet_proven`, `wallet_fixed`, and the one of {@link lockOwnAccount}.
 */
export async function saveWallet(deps: Deps, actor: Actor, wallet: Wallet): Promise<ProvenWallet> {
  try {
    const saved = await inTransaction(deps.db, async (tx) => {
      await replaceWallet(tx, deps, actor, wallet)
      return readProvenWallet(tx, deps.campaign.id, actor.userId)
    })
    if (!saved) throw new Error('The proven wallet could not be read.')
    // Runs the checks that `replaceWallet` has queued.
    deps.runSoon('claims')
    return saved
  } catch (error) {
    if (violatedUnique(error) === 'proven_wallets_one_participant') throw refuse('wallet_proven')
    throw error
  }
}

/** Removes the proven wallet, which another participant can then prove. Idempotent. */
export async function removeWallet(deps: Deps, actor: Actor): Promise<void> {
  await inTransaction(deps.db, (tx) => replaceWallet(tx, deps, actor, null))
  deps.runSoon('claims')
}

/**
 * Changes a participant's proven wallet and queues checks of the claims that depend on it. Locks only the
 * participant's own claim, so that its approval happens entirely before or after the change.
 */
async function replaceWallet(tx: Tx, deps: Deps, actor: Actor, next: Wallet | null): Promise<void> {
  const { userId, network } = actor
  const campaignId = deps.campaign.id
  await lockLiveClaim(tx, deps, userId)
  // Otherwise two changes could both read the same former wallet.
  await lockOwnAccount(tx, userId)
  await refuseIfFixed(tx, deps, userId)
  const former = await readProvenWallet(tx, campaignId, userId)
  if (former?.address === next?.address && former?.kind === next?.kind) return
  const addresses = [former, next].flatMap((wallet) => wallet?.address.toLowerCase() ?? [])
  await lockWallets(tx, campaignId, [...addresses, userId])
  await (next ? upsertWallet(tx, campaignId, userId, next) : deleteWallet(tx, campaignId, userId))
  const action = next ? 'wallet.proven' : 'wallet.removed'
  const details = next ? { wallet: next.address, kind: next.kind } : {}
  await record(tx, { actor: userId, action, subject: userId, network, details })
  await recheckClaims(tx, campaignId, userId, addresses)
}

/**
 * Waits for running submissions and checks of claims with these wallets. Later ones wait until the
 * transaction ends.
 * @param names lower-case addresses, and a participant's id for all of their claims.
 */
async function lockWallets(tx: Tx, campaignId: string, names: readonly string[]): Promise<void> {
  // A trigger on `claims` takes the same locks, with the same first key 1271, in shared mode.
  await sql`
    select pg_advisory_xact_lock(1271, lock)
    from (select distinct wallet_lock(${campaignId}, name) as lock
      from unnest(${names}::text[]) name order by lock) locks`.execute(tx)
}

/**
 * Keeps what a check has read about a claim's wallet from changing until the transaction ends. The caller
 * must lock the claim first.
 */
export async function lockWalletOfClaim(tx: Tx, claimId: string): Promise<void> {
  await sql`
    select pg_advisory_xact_lock_shared(1271, lock)
    from (select distinct wallet_lock(c.campaign_id, name) as lock
      from claims c, unnest(array[c.wallet, c.user_id::text]) name where c.id = ${claimId} order by lock) locks`.execute(
    tx,
  )
}

async function upsertWallet(tx: Tx, campaignId: string, userId: string, wallet: Wallet): Promise<void> {
  await tx
    .insertInto('proven_wallets')
    .values({ campaign_id: campaignId, user_id: userId, ...wallet })
    .onConflict((conflict) =>
      conflict.columns(['campaign_id', 'user_id']).doUpdateSet({ ...wallet, since: NOW }),
    )
    .execute()
}

async function deleteWallet(tx: Tx, campaignId: string, userId: string): Promise<void> {
  await tx
    .deleteFrom('proven_wallets')
    .where('campaign_id', '=', campaignId)
    .where('user_id', '=', userId)
    .execute()
}

/**
 * Queues checks of the participant's claim and all claims with these wallets. Cannot lock them, because
 * claims are locked before the account. Instead, the caller's {@link lockWallets} keeps a running check from
 * storing an outdated result. Uses the indexes `claims_one_live` and `claims_wallet`.
 */
async function recheckClaims(
  tx: Tx,
  campaignId: string,
  userId: string,
  wallets: readonly string[],
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from claims
    where campaign_id = ${campaignId} and status <> 'rejected'
      and (user_id = ${userId} or lower(wallet) = any(${wallets}::text[]))
    order by id`.execute(tx)
  for (const { id } of rows) {
    await recheck(tx, id, ['wallet-owned'])
    await announceClaim(tx, id)
  }
}

/** @throws refusal `wallet_fixed` if there is an approved claim, which must keep its proven wallet. */
export async function refuseIfFixed(db: Database | Tx, { campaign }: Deps, userId: string): Promise<void> {
  if (await hasApprovedClaim(db, campaign.id, userId)) throw refuse('wallet_fixed')
}

/** Erases a participant's proven wallets and unsigned messages. */
export async function eraseWallets(tx: Tx, userId: string): Promise<void> {
  // Uses the index `proven_wallets_pkey`, once for each campaign.
  await sql`
    delete from proven_wallets p using campaigns c
    where p.campaign_id = c.id and p.user_id = ${userId}`.execute(tx)
  await tx.deleteFrom('wallet_messages').where('user_id', '=', userId).execute()
}
