import type * as z from 'zod/mini'
import { CampaignFile } from '#contract/campaign-file.ts'

/** Only the campaign file can set these, because claims, wallets and payments depend on them. */
const FIXED = new Set(['id', 'chain.id'])
/** Objects whose members only make sense together. */
const INDIVISIBLE = new Set(['chain.markets'])

/** Paths of overridable settings, in the file's order. A list is one, and a text with its translations too. */
export const SETTING_PATHS: readonly string[] = pathsOf(CampaignFile, '').filter(
  (path) => !FIXED.has(path) && path !== 'translations',
)

export const isFixed = (path: string): boolean => FIXED.has(path)

export type SchemaDefinition = {
  type: string
  shape?: Record<string, z.core.$ZodType>
  element?: z.core.$ZodType
  innerType?: z.core.$ZodType
}

function pathsOf(schema: z.core.$ZodType, path: string): string[] {
  const { type, shape, innerType } = schema._zod.def as SchemaDefinition
  if (type === 'optional' && innerType) return pathsOf(innerType, path)
  if (!shape || INDIVISIBLE.has(path)) return [path]
  return Object.entries(shape).flatMap(([key, member]) =>
    pathsOf(member, path === '' ? key : `${path}.${key}`),
  )
}

export function readSetting(campaign: unknown, path: string): unknown {
  let value = campaign
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

/** Returns a copy. */
export function withSetting(campaign: unknown, path: string, value: unknown): unknown {
  const [key = '', ...rest] = path.split('.')
  const members = (campaign ?? {}) as Record<string, unknown>
  const member = rest.length === 0 ? value : withSetting(members[key], rest.join('.'), value)
  return { ...members, [key]: member }
}
