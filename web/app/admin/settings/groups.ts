import type { Setting } from '#contract/dashboard/settings.ts'
import { SETTINGS } from '#messages/dashboard-settings.js'
import {
  type Input,
  SETTING_GROUPS,
  type SettingField,
  type SettingGroup,
} from '#web/content/dashboard/settings.ts'

/** The groups of the form. A setting that is in none of them comes under Other. */
export function groupsOf(settings: readonly Setting[]): readonly SettingGroup[] {
  const listed = new Set(SETTING_GROUPS.flatMap(({ fields }) => fields.map(({ path }) => path)))
  const others = settings.filter(({ path }) => !listed.has(path) && !hasOwnScreen(path))
  if (others.length === 0) return SETTING_GROUPS
  const { other: title, otherLead: lead } = SETTINGS
  return [...SETTING_GROUPS, { id: 'other', title, lead, page: '/', fields: others.map(fieldOf) }]
}

/** Colors and pictures are changed under Look. */
const hasOwnScreen = (path: string) => path === 'look' || path.startsWith('look.')

const fieldOf = ({ path, value }: Setting): SettingField => ({ path, label: path, input: inputOf(value) })

function inputOf(value: unknown): Input {
  if (typeof value === 'boolean') return 'flag'
  if (typeof value === 'number') return 'number'
  return typeof value === 'string' ? 'text' : 'json'
}
