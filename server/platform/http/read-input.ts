import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/protocol/endpoint.ts'
import { refuse } from '../refusal.ts'

const EMPTY = z.strictObject({})

/**
 * The input of a request, validated.
 * @throws refusals `not_found` for an address that can name nothing, and `invalid_input` with a reason for each
 * field.
 */
export function readInput(endpoint: Endpoint, request: FastifyRequest) {
  return {
    params: endpoint.params && parseParams(endpoint.params, request.params),
    query: parse(endpoint.query ?? EMPTY, request.query),
    body:
      endpoint.method === 'GET' || endpoint.upload
        ? undefined
        : parse(endpoint.body ?? EMPTY, request.body ?? {}),
    upload: endpoint.upload && Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
  }
}

function parseParams(schema: z.core.$ZodType, params: unknown): unknown {
  const parsed = z.safeParse(schema, params)
  if (parsed.success) return parsed.data
  throw refuse('not_found')
}

function parse(schema: z.core.$ZodType, value: unknown): unknown {
  // An issue that includes the input tells a missing value from one of the wrong type.
  const parsed = z.safeParse(schema, value, { reportInput: true })
  if (parsed.success) return parsed.data
  throw refuse('invalid_input', { fields: reasonsOf(parsed.error.issues) })
}

/** The first reason for each field, as a key of the message catalog. */
function reasonsOf(issues: readonly z.core.$ZodIssue[]): Record<string, string> {
  const fields = issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [key, 'unknown_field'])
    const name = issue.path.join('.') || 'body'
    if (issue.code === 'invalid_type') return [[name, issue.input === undefined ? 'required' : 'wrong_type']]
    if (issue.code === 'invalid_value') return [[name, 'not_offered']]
    return [[name, issue.message]]
  })
  // Of several entries for one field, `fromEntries` keeps the last.
  return Object.fromEntries(fields.toReversed())
}
