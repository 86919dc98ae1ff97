import { resolve } from 'node:path'
import * as z from 'zod/mini'
import { CampaignFile } from '#contract/campaign-file.ts'
import { lookProblems } from '#contract/look.ts'
import { isChecksumRight } from '#server/platform/eip55.ts'
import { fromRoot } from '#server/platform/root.ts'
import { type Fault, isFaultCode, type Problem, problemIn } from './faults.ts'
import { splitLanguages } from './localized-campaign.ts'
import { readCampaignFile } from './read-campaign-file.ts'

const DEFAULT_FILE = fromRoot('campaign.config.ts')

/** The absolute path of a campaign file. Without one, of `campaign.config.ts` in this installation. */
export const campaignPath = (file?: string): string => (file ? resolve(file) : DEFAULT_FILE)

/** @returns the campaign, or a line for each problem that names the file and the setting. */
export async function loadCampaign(file?: string): Promise<CampaignFile | { problems: string[] }> {
  const name = file ?? 'campaign.config.ts'
  try {
    const inspected = inspectCampaign(await readCampaignFile(campaignPath(file)))
    if ('campaign' in inspected) return inspected.campaign
    return { problems: inspected.problems.map((problem) => `${name}: ${problemIn(problem)}`) }
  } catch (error) {
    return { problems: [`${name} ${(error as Error).message}`] }
  }
}

/** Validates what a campaign file exports. Returns problems as data, to be worded in any language. */
export function inspectCampaign(unchecked: unknown): { campaign: CampaignFile } | { problems: Problem[] } {
  const { campaign, problems: languageProblems } = splitLanguages(unchecked)
  const parsed = z.safeParse(CampaignFile, campaign, { reportInput: true })
  const schemaProblems = parsed.success ? [] : parsed.error.issues.flatMap(describeIssue)
  const problems = [...languageProblems, ...schemaProblems]
  if (!parsed.success || problems.length > 0) return { problems }
  const contradictions = findContradictions(parsed.data)
  return contradictions.length > 0 ? { problems: contradictions } : { campaign: parsed.data }
}

function describeIssue(issue: z.core.$ZodIssue): Problem[] {
  const path = issue.path.join('.')
  const about = (fault: Fault) => [{ paths: [path], fault }]
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ paths: [[...issue.path, key].join('.')], fault: { code: 'unknown' } }))
  if (issue.code === 'invalid_type' && issue.input === undefined) return about({ code: 'missing' })
  if (issue.code === 'invalid_value') return about({ code: 'not_offered', values: issue.values.join(', ') })
  // Our own checks have codes of faults as messages. Zod's messages are not shown.
  if (isFaultCode(issue.message)) return about({ ...limitsOf(issue), code: issue.message } as Fault)
  return about(
    issue.code === 'invalid_type' ? { code: 'wrong_type', expected: issue.expected } : { code: 'misfit' },
  )
}

function limitsOf(issue: z.core.$ZodIssue): { minimum?: string; maximum?: string } {
  if (issue.code === 'too_small') return { minimum: String(issue.minimum) }
  return issue.code === 'too_big' ? { maximum: String(issue.maximum) } : {}
}

/** Problems that the schema cannot express. */
function findContradictions({ token, airdrop, look }: CampaignFile): Problem[] {
  const ids = airdrop.tasks.map((task) => task.id)
  return [
    ...lookProblems(look).map(({ path, fault }) => ({ paths: [path], fault })),
    ...problemIf(!isChecksumRight(token.contract), ['token.contract'], 'checksum'),
    ...problemIf(
      airdrop.closesAt !== null && Date.parse(airdrop.closesAt) <= Date.parse(airdrop.opensAt),
      ['airdrop.closesAt', 'airdrop.opensAt'],
      'closes_first',
    ),
    ...problemIf(new Set(ids).size < ids.length, ['airdrop.tasks'], 'task_ids'),
  ]
}

const problemIf = (
  isProblem: boolean,
  paths: readonly string[],
  code: 'checksum' | 'closes_first' | 'task_ids',
): Problem[] => (isProblem ? [{ paths, fault: { code } }] : [])
