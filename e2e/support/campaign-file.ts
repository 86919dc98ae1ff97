import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { CampaignFile } from '#contract/campaign-file.ts'

/** Writes a campaign to a temporary file, for `CAMPAIGN_CONFIG`. */
export async function writeCampaign(
  campaign: CampaignFile,
): Promise<{ file: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dropwright-campaign-'))
  const file = path.join(folder, 'campaign.mjs')
  await writeFile(file, `export default ${JSON.stringify(campaign)}`)
  return { file, remove: () => rm(folder, { recursive: true }) }
}
