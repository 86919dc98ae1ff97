import assert from 'node:assert/strict'
import { errorMessages } from '#server/messages/errors.ts'
import type { Answer } from '../api.ts'

/** Asserts that a refusal has a request id and the text of its code. */
export function refusalOf({ status, body }: Answer): [status: number, code: string | undefined] {
  assert.equal(body.message, errorMessages.messages[body.code as keyof typeof errorMessages.messages])
  assert.equal(typeof body['requestId'], 'string')
  return [status, body.code]
}

/** Asserts that each input is refused. @param cases map each refused field to the key of its text. */
export async function assertInvalid<Input>(
  send: (input: Input) => Promise<Answer>,
  cases: readonly (readonly [input: Input, reasons: Readonly<Record<string, string>>])[],
): Promise<void> {
  for (const [input, reasons] of cases) {
    const answer = await send(input)
    const texts = Object.entries(reasons).map(([field, reason]) => [field, errorMessages.fields[reason]])
    assert.deepEqual(refusalOf(answer), [400, 'invalid_input'], JSON.stringify(input))
    assert.deepEqual(Object.keys(answer.body).toSorted(), ['code', 'fields', 'message', 'requestId'])
    assert.deepEqual(answer.body.fields, Object.fromEntries(texts), JSON.stringify(input))
  }
}
