import { exitCodeOf, MISCONFIGURED } from '../platform/misconfigured.ts'

/**
 * Runs a command and sets the exit code that it returns. What it throws is said on one line: 78 where the operator
 * has to change something, else 1.
 */
export async function runCommand(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main()
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = exitCodeOf(error)
  }
}

/** Says each line. @returns the exit code of a command that was refused. */
export function complain(...lines: readonly string[]): number {
  for (const line of lines) console.error(line)
  return 1
}

/** The same for what is wrong with the environment or the campaign file. */
export function misconfigured(problems: readonly string[]): number {
  complain(...problems)
  return MISCONFIGURED
}
