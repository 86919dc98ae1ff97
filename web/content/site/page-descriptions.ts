import { PAGES } from '#messages/page-descriptions.js'
import type { Route } from '#web/routes.ts'

const DESCRIPTIONS: Readonly<Record<string, string>> = PAGES

/** The description of a page or screen, with `{token}` and `{symbol}` still in it. */
export const descriptionOf = ({ id, description }: Route): string => DESCRIPTIONS[id] ?? description
