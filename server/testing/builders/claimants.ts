import { sql } from 'kysely'
import type { Deps } from '#server/deps.ts'
import { type Database, inTransaction } from '#server/platform/database/database.ts'
import { savePostText } from '#server/domain/signals/post-text.ts'
import { recordNetworkVisit } from '#server/domain/signals/network.ts'
import { scoreClaim } from '#server/domain/signals/score-claim.ts'
import { submitProof } from '#server/domain/claims/submission/submit-proof.ts'
import { createUsers, type TestUser } from './create-users.ts'
import { freshProof } from './proof.ts'

type Options = {
  email?: string
  /** The network of the sign-up and the claim. By default, none is recorded. */
  network?: string
  referredBy?: string
  /** The text of their post. */
  text?: string
  joinedMinutesAgo?: number
  proof?: Partial<ReturnType<typeof freshProof>>
}

let claimantCount = 0

export async function claimant(deps: Deps, options: Options = {}): Promise<TestUser & { claimId: string }> {
  const { db, campaign } = deps
  claimantCount += 1
  const { email = `claimant${claimantCount}@mail.example`, referredBy, network, text, proof } = options
  const { joinedMinutesAgo = 60 } = options
  const [person] = await createUsers(db, campaign.id, 1, {
    email: () => email,
    ...(referredBy ? { referredBy } : {}),
  })
  const joined = new Date(Date.now() - joinedMinutesAgo * 60_000)
  await db.updateTable('users').set({ created_at: joined }).where('id', '=', person.id).execute()
  if (network)
    await inTransaction(db, (tx) =>
      recordNetworkVisit(tx, deps, { userId: person.id, event: 'sign-up', network }),
    )
  const { _id: claimId } = await submitProof(deps, person.id, { ...freshProof(), ...proof }, network)
  if (text) await inTransaction(db, (tx) => savePostText(tx, claimId, text))
  return { ...person, claimId }
}

export async function scoredClaimant(deps: Deps, options?: Options) {
  const person = await claimant(deps, options)
  await scoreClaim(deps.db, person.claimId)
  return person
}

/** Rejects a claim only in the database, an interval ago. Nobody is told, and its slot stays claimed. */
export const markRejected = (db: Database, claimId: string, { ago = '0 seconds' } = {}) =>
  sql`
    update claims set status = 'rejected', reason_code = 'other', decided_at = now() - ${ago}::interval
    where id = ${claimId}`.execute(db)
