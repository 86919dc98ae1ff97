import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { syncCampaign } from '#server/domain/campaign/sync-campaign.ts'
import { submitProof } from '#server/domain/claims/submission/submit-proof.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { testDeps } from '#server/testing/deps.ts'
import type { ProductProcess } from './operator.ts'
import { newProof } from './people.ts'
import { databaseOf } from './records.ts'

/**
 * Adds an earlier campaign to a running product: archived, with one participant, whose claim was approved. Closing and
 * archiving one has tests of its own, and the next would have to be started.
 */
export async function addArchivedCampaign(product: ProductProcess, file: CampaignFile): Promise<TestUser> {
  const db = await databaseOf(product)
  await syncCampaign(db, file)
  const deps = await testDeps(db, file)
  const [reviewer] = await createUsers(db, file.id, 1, { role: 'admin' })
  const [participant] = await createUsers(db, file.id, 1)
  const { _id: claimId } = await submitProof(deps, participant.id, newProof())
  await reviewerOn(deps, reviewer).approve(claimId)
  await sql`update campaigns set archived_at = now() where id = ${file.id}`.execute(db)
  await db.destroy()
  return participant
}
