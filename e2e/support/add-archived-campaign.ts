import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { syncCampaign } from '#server/domain/campaign/sync-campaign.ts'
import { submitProof } from '#server/domain/claims/submission/submit-proof.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { testDeps } from '#server/testing/deps.ts'
import { newProof } from './people.ts'
import { databaseOf } from './records.ts'

/** Adds an archived campaign with an approved claim. Arguments: DATA_DIR, campaign (as JSON), username. */

const [dataDir = '', json = '', username = ''] = process.argv.slice(2)
const file = JSON.parse(json) as CampaignFile
const db = await databaseOf({ dataDir })
await syncCampaign(db, file)
const deps = await testDeps(db, file)
const [reviewer] = await createUsers(db, file.id, 1, { role: 'admin' })
const [participant] = await createUsers(db, file.id, 1, { username: () => username })
const { _id: claimId } = await submitProof(deps, participant.id, newProof())
await reviewerOn(deps, reviewer).approve(claimId)
await sql`update campaigns set archived_at = now() where id = ${file.id}`.execute(db)
await db.destroy()
