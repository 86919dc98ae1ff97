import type { CampaignFile } from '#contract/campaign-file.ts'
import { joinLanguages } from '#server/domain/campaign/localized-campaign.ts'

export function exportCampaign(campaign: CampaignFile, format: 'ts' | 'json'): string {
  const authored = joinLanguages(campaign)
  if (format === 'json') return `${JSON.stringify(authored, null, 2)}\n`
  return `import { defineCampaign } from '#contract/campaign-file.ts'\n\nexport default defineCampaign(${literal(authored)})\n`
}

const IDENTIFIER = /^[a-zA-Z_$][\w$]*$/

function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const deeper = `${indent}  `
  const [opening, closing, members] = Array.isArray(value)
    ? ['[', ']', value.map((member) => literal(member, deeper))]
    : ['{', '}', Object.entries(value).map(([key, member]) => `${keyOf(key)}: ${literal(member, deeper)}`)]
  if (members.length === 0) return opening + closing
  return `${opening}\n${members.map((member) => `${deeper}${member},\n`).join('')}${indent}${closing}`
}

const keyOf = (key: string) => (IDENTIFIER.test(key) ? key : quoted(key))

/** A JSON string in single instead of double quotes. */
const quoted = (text: string) =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
