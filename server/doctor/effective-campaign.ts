import type { CampaignFile } from '#contract/campaign-file.ts'
import { readEffective } from '../domain/campaign/overrides.ts'
import type { ReachedDatabase } from './subject.ts'

/**
 * The campaign as the server has it: the campaign file with the settings of the database over it. The file alone where
 * it cannot be used, or the database cannot be asked.
 */
export async function effectiveCampaign(
  file: CampaignFile | { problems: string[] },
  database: Promise<ReachedDatabase>,
): Promise<CampaignFile | { problems: string[] }> {
  if ('problems' in file) return file
  const reached = await database
  if (!('db' in reached)) return file
  try {
    return (await readEffective(reached.db, file)).campaign
  } catch {
    // An empty database or one of another version: the check of the database says so.
    return file
  }
}
