import assert from 'node:assert/strict'
import { MISCONFIGURED } from '#server/platform/misconfigured.ts'
import type { Ended } from '../product.ts'

export type FailureCode = 1 | typeof MISCONFIGURED

/** Asserts that a command succeeded and printed no error. @param expected the output; by default, any. */
export function assertSucceeded({ code, out, err }: Ended, expected?: string | RegExp): void {
  assert.deepEqual({ code, err }, { code: 0, err: '' })
  if (expected !== undefined) assertText(out, expected)
}

/** Asserts that a command failed with this exit code and error, and printed nothing else. */
export function assertFailed(ended: Ended, code: FailureCode, expected: string | RegExp): void {
  const { code: actualCode, out, err } = ended
  assert.deepEqual({ code: actualCode, out }, { code, out: '' }, `code ${actualCode}: ${out}${err}`)
  assertText(err, expected)
}

/** Asserts that a command failed because the operator has to change something. */
export const assertMisconfigured = (ended: Ended, expected: string | RegExp): void =>
  assertFailed(ended, MISCONFIGURED, expected)

export function assertText(text: string, expected: string | RegExp): void {
  if (typeof expected === 'string') assert.equal(text, expected)
  else assert.match(text, expected)
}
