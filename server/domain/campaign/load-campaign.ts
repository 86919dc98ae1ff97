import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { CampaignFile } from '#contract/campaign-file.ts'
import { lookProblems } from '#contract/look.ts'
import { isChecksumRight } from '#server/platform/eip55.ts'
import { splitLanguages } from './localized-campaign.ts'
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
  const inspected = inspectCampaign(given)
  if ('campaign' in inspected) return inspected.campaign
  return { problems: inspected.problems.map(({ text }) => `${name}: ${text}`) }
}

/** What is wrong with a campaign, in a sentence that begins with a path, and the settings that it is about. */
export type Problem = { paths: readonly string[]; text: string }

/** Validates a campaign. */
export function inspectCampaign(given: unknown): { campaign: CampaignFile } | { problems: Problem[] } {
  const { campaign, misgiven } = splitLanguages(given)
  const parsed = z.safeParse(CampaignFile, campaign, { reportInput: true })
  const problems = [
    ...misgiven.map(({ path, text }) => ({ paths: [path], text })),
    ...(parsed.success ? [] : parsed.error.issues.flatMap(describeIssue)),
  ]
  if (!parsed.success || problems.length > 0) return { problems }
  return inspectWhole(parsed.data)
}

function inspectWhole(campaign: CampaignFile): ReturnType<typeof inspectCampaign> {
  const problems = contradictions(campaign)
  return problems.length > 0 ? { problems } : { campaign }
}

function describeIssue(issue: z.core.$ZodIssue): Problem[] {
  const path = issue.path.join('.')
  const about = (text: string) => [{ paths: [path], text: `${path || 'the default export'} ${text}` }]
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => {
      const unknown = [...issue.path, key].join('.')
      return { paths: [unknown], text: `${unknown} is not known` }
    })
  if (issue.code === 'invalid_type' && issue.input === undefined) return about('is missing')
  if (issue.code === 'invalid_value') return about(`must be one of: ${issue.values.join(', ')}`)
  // Messages of our schema begin with "must"; Zod's own are replaced.
  if (issue.code === 'invalid_type' && !issue.message.startsWith('must '))
    return about(`must be of type ${issue.expected}`)
  return about(issue.message)
}

/** Problems that the schema cannot express. */
function contradictions({ token, airdrop, look }: CampaignFile): Problem[] {
  const ids = airdrop.tasks.map((task) => task.id)
  return [
    ...lookProblems(look).map(({ path, message }) => ({ paths: [path], text: `${path} ${message}` })),
    ...(isChecksumRight(token.contract)
      ? []
      : [
          {
            paths: ['token.contract'],
            text: 'token.contract has a wrong EIP-55 checksum: copy the address again',
          },
        ]),
    ...(airdrop.closesAt !== null && Date.parse(airdrop.closesAt) <= Date.parse(airdrop.opensAt)
      ? [
          {
            paths: ['airdrop.closesAt', 'airdrop.opensAt'],
            text: 'airdrop.closesAt must be after airdrop.opensAt',
          },
        ]
      : []),
    ...(new Set(ids).size < ids.length
      ? [{ paths: ['airdrop.tasks'], text: 'airdrop.tasks must have different ids' }]
      : []),
  ]
}
