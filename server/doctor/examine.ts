import { textsIn } from '../messages/catalogue.ts'
import { administrators } from './checks/administrators.ts'
import { backups } from './checks/backups.ts'
import { campaignFile, environment } from './checks/configuration.ts'
import { chain } from './checks/chain.ts'
import { clock } from './checks/clock.ts'
import { database } from './checks/database.ts'
import { disk } from './checks/disk.ts'
import { journal } from './checks/journal.ts'
import { mailQueue, mailServer, sender } from './checks/mail.ts'
import { price } from './checks/price.ts'
import { publicAddress } from './checks/public-address.ts'
import { couldNotTell, type Finding, inWords } from './finding.ts'
import type { Check, Subject } from './subject.ts'
import { WORDS } from './texts.ts'

const CHECKS: readonly Check[] = [
  environment,
  campaignFile,
  database,
  administrators,
  journal,
  disk,
  backups,
  mailServer,
  sender,
  mailQueue,
  publicAddress,
  clock,
  chain,
  price,
]

/** What the running server examines for the dashboard, besides the request and clock of the browser. */
export const LIVE_CHECKS: readonly Check[] = [clock, chain, price, mailServer, sender]

export type Examined = Finding & { name: string }

/** Runs checks side by side, each for at most `limitMs`. Never rejects. @returns their findings in order. */
export function examine(
  subject: Subject,
  { checks = CHECKS, limitMs }: { checks?: readonly Check[]; limitMs: number },
): Promise<Examined[]> {
  return Promise.all(
    checks.map(async (check) => ({ name: check.name, ...(await run(check, subject, limitMs)) })),
  )
}

async function run({ reads, examine: check }: Check, subject: Subject, limitMs: number): Promise<Finding> {
  const unusable = reads.filter((name) => subject.environment.unusable.has(name))
  if (unusable.length > 0) return couldNotTell(WORDS.unusable(unusable))
  const limit = new AbortController()
  const late = Promise.withResolvers<Finding>()
  const timer = setTimeout(() => {
    limit.abort()
    late.resolve(
      couldNotTell((locale) => textsIn(locale).DEPLOYMENT.tookTooLong({ seconds: limitMs / 1_000 })),
    )
  }, limitMs)
  try {
    return await Promise.race([check(subject, limit.signal), late.promise])
  } catch (error) {
    const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    return couldNotTell((locale) => textsIn(locale).DEPLOYMENT.failed({ message }))
  } finally {
    clearTimeout(timer)
  }
}

const RANK = { fine: 0, could_not_tell: 1, wrong: 2 }

/** The report for people: the lines of each check, problems last, and then the problems as a to-do list. */
export function reportLines(findings: readonly Examined[]): string[] {
  const width = Math.max(...findings.map(({ name }) => name.length))
  const outcomeWidth = Math.max(...findings.map(({ outcome }) => WORDS.outcomes[outcome].length))
  const row = (name: string, outcome: string, line: string) =>
    `${name.padEnd(width)}  ${outcome.padEnd(outcomeWidth)}  ${line}`.trimEnd()
  const rows = findings
    .toSorted((a, b) => RANK[a.outcome] - RANK[b.outcome])
    .flatMap(({ name, outcome, lines, remarks }) => [
      ...lines.map((line, index) =>
        row(index === 0 ? name : '', index === 0 ? WORDS.outcomes[outcome] : '', inWords(line)),
      ),
      ...remarks.map((remark) => row('', WORDS.remark, inWords(remark))),
    ])
  const problems = findings
    .filter(({ outcome }) => outcome === 'wrong')
    .flatMap(({ name, lines }) => lines.map((line) => `${name}: ${inWords(line)}`))
  return [
    ...rows,
    '',
    WORDS.summary(problems.length, findings.filter(({ outcome }) => outcome === 'could_not_tell').length),
    ...problems.map((problem, index) => `${index + 1}. ${problem}`),
  ]
}

export const hasProblem = (findings: readonly Examined[]): boolean =>
  findings.some(({ outcome }) => outcome === 'wrong')
