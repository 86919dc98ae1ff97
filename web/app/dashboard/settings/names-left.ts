import type { Setting } from '#contract/dashboard/settings.ts'
import { groupsOf } from '#web/content/dashboard/settings.ts'
import { textOf } from './values.ts'

type NameOrText = Pick<Setting, 'path' | 'value' | 'fileValue'>

/**
 * Texts of the campaign file that still have a former name, because the token was renamed in the dashboard.
 * @returns the former names and symbols that are left, and the titles of the groups of these texts.
 */
export function findNamesLeft(settings: readonly NameOrText[]): { names: string[]; groups: string[] } {
  const isName = ({ path }: NameOrText) => path === 'token.name' || path === 'token.symbol'
  const texts = settings.filter((setting) => !isName(setting))
  const names = settings.filter(
    (setting) =>
      isName(setting) && setting.value !== setting.fileValue && texts.some((text) => isLeft(setting, text)),
  )
  const isStale = (path: string) =>
    texts.some((text) => text.path === path && names.some((name) => isLeft(name, text)))
  return {
    names: names.map(({ fileValue }) => textOf(fileValue)),
    groups: groupsOf(settings)
      .filter(({ fields }) => fields.some(({ path }) => isStale(path)))
      .map(({ title }) => title),
  }
}

/** Whether a text has the former name, except as a part of the new name. */
const isLeft = (name: NameOrText, text: NameOrText): boolean =>
  wordsOf(text.value).replaceAll(wordsOf(name.value), ' ').includes(wordsOf(name.fileValue))

/** The words between spaces, so that a symbol is not found within one. JSON has `\n` between lines. */
const wordsOf = (value: unknown) => ` ${textOf(value).replace(/(?:\\n|[^\p{L}\p{N}])+/gu, ' ')} `
