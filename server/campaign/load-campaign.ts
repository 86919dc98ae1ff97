import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { CampaignFile } from '#contract/campaign-file.ts'
import { isChecksumRight } from '../platform/eip55.ts'
import { readCampaignFile } from './read-campaign-file.ts'

const DEFAULT_FILE = fileURLToPath(new URL('../../campaign.config.ts', import.meta.url))

/**
 * Loads the campaign file (another one than `campaign.config.ts` when `file` is given, as a module or as JSON) and validates it.
 * @returns the campaign, or one line for each mistake with the path of the value.
 */
export async function loadCampaign(file?: string): Promise<CampaignFile | { problems: string[] }> {
  const name = file ?? 'campaign.config.ts'
  try {
    return checkCampaign(await readCampaignFile(file ? resolve(file) : DEFAULT_FILE), name)
  } catch (error) {
    return { problems: [`${name} ${(error as Error).message}`] }
  }
}

/** Judges what a campaign file exports; `name` stands at the beginning of each line. */
export function checkCampaign(given: unknown, name: string): CampaignFile | { problems: string[] } {
  const parsed = z.safeParse(CampaignFile, given, { reportInput: true })
  const problems = parsed.success ? contradictions(parsed.data) : parsed.error.issues.flatMap(inWords)
  if (problems.length > 0) return { problems: problems.map((problem) => `${name}: ${problem}`) }
  return parsed.data as CampaignFile
}

function inWords(issue: z.core.$ZodIssue): string[] {
  const path = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${[...issue.path, key].join('.')} is not known`)
  }
  if (issue.code === 'invalid_type' && issue.input === undefined) {
    return [`${path || 'the default export'} is missing`]
  }
  if (issue.code === 'invalid_value') return [`${path} must be one of: ${issue.values.join(', ')}`]
  // The schema's own words say what is wanted; where it has none, the type does.
  if (issue.code === 'invalid_type' && !issue.message.startsWith('must ')) {
    return [`${path || 'the default export'} must be of type ${issue.expected}`]
  }
  return [`${path} ${issue.message}`]
}

/** What the shape alone does not tell. */
function contradictions({ token, airdrop }: CampaignFile): string[] {
  const ids = airdrop.tasks.map((task) => task.id)
  return [
    ...(isChecksumRight(token.contract)
      ? []
      : ['token.contract has a wrong EIP-55 checksum: copy the address again']),
    ...(airdrop.closesAt !== null && Date.parse(airdrop.closesAt) <= Date.parse(airdrop.opensAt)
      ? ['airdrop.closesAt must be after airdrop.opensAt']
      : []),
    ...(new Set(ids).size < ids.length ? ['airdrop.tasks must have different ids'] : []),
  ]
}
