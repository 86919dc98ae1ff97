import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { ProductProcess } from './operator.ts'
import { newPerson } from './people.ts'

const PROGRAM = path.join(import.meta.dirname, 'add-archived-campaign.ts')

/**
 * Adds an earlier campaign to a running product: archived, with one participant, whose claim was approved. Closing and
 * archiving one has tests of its own, and the next would have to be started.
 *
 * In a process of its own: the server requires its texts, and in the process of the tests Node cannot require a module
 * that a test has imported.
 * @returns the participant's username.
 */
export async function addArchivedCampaign({ dataDir }: ProductProcess, file: CampaignFile): Promise<string> {
  const { username } = newPerson()
  const args = [PROGRAM, dataDir, JSON.stringify(file), username]
  await promisify(execFile)(process.execPath, args)
  return username
}
