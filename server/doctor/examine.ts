import { CHECKS } from './checks.ts'
import { couldNotTell, type Finding } from './finding.ts'
import type { Check, Subject } from './subject.ts'
import { WORDS } from './words.ts'

export type Examined = Finding & { name: string }

/** Runs all checks side by side, each for at most `limitMs`. @returns their findings in the order of the checks. Never rejects. */
export function examine(
  subject: Subject,
  { checks = CHECKS, limitMs }: { checks?: readonly Check[]; limitMs: number },
): Promise<Examined[]> {
  return Promise.all(
    checks.map(async (check) => ({ name: check.name, ...(await run(check, subject, limitMs)) })),
  )
}

async function run({ needs, examine: check }: Check, subject: Subject, limitMs: number): Promise<Finding> {
  const missing = needs.filter((name) => subject.environment.unusable.has(name))
  if (missing.length > 0) return couldNotTell(WORDS.unusable(missing))
  const limit = new AbortController()
  const late = Promise.withResolvers<Finding>()
  const timer = setTimeout(() => {
    limit.abort()
    late.resolve(couldNotTell(WORDS.tookTooLong(limitMs / 1_000)))
  }, limitMs)
  try {
    return await Promise.race([check(subject, limit.signal), late.promise])
  } catch (error) {
    return couldNotTell(WORDS.failed(error instanceof Error ? error.message : String(error)))
  } finally {
    clearTimeout(timer)
  }
}
