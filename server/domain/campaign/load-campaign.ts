import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { CampaignFile } from '#contract/campaign-file.ts'
import { isChecksumRight } from '#server/platform/eip55.ts'
import { readCampaignFile } from './read-campaign-file.ts'

const DEFAULT_FILE = fileURLToPath(new URL('../../../campaign.config.ts', import.meta.url))

/**
 * Loads and validates the campaign file.
 * @param file a module or JSON; `campaign.config.ts` when absent.
 * @returns the campaign, or one line per problem with the path of the value.
 */
export async function loadCampaign(file?: string): Promise<CampaignFile | { problems: string[] }> {
  const name = file ?? 'campaign.config.ts'
  try {
    return checkCampaign(await readCampaignFile(file ? resolve(file) : DEFAULT_FILE), name)
  } catch (error) {
    return { problems: [`${name} ${(error as Error).message}`] }
  }
}

/** Validates what a campaign file exports; each problem begins with `name`. */
export function checkCampaign(given: unknown, name: string): CampaignFile | { problems: string[] } {
  const parsed = z.safeParse(CampaignFile, given, { reportInput: true })
  const problems = parsed.success ? contradictions(parsed.data) : parsed.error.issues.flatMap(describeIssue)
  if (problems.length > 0) return { problems: problems.map((problem) => `${name}: ${problem}`) }
  return parsed.data as CampaignFile
}

function describeIssue(issue: z.core.$ZodIssue): string[] {
  const path = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${[...issue.path, key].join('.')} is not known`)
  }
  if (issue.code === 'invalid_type' && issue.input === undefined) {
    return [`${path || 'the default export'} is missing`]
  }
  if (issue.code === 'invalid_value') return [`${path} must be one of: ${issue.values.join(', ')}`]
  // Messages of our schema begin with "must"; Zod's own are replaced.
  if (issue.code === 'invalid_type' && !issue.message.startsWith('must ')) {
    return [`${path || 'the default export'} must be of type ${issue.expected}`]
  }
  return [`${path} ${issue.message}`]
}

/** Problems that the schema cannot express. */
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
