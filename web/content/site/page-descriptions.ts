import { PAGES } from '#messages/routes.js'
import type { Route, RouteText } from '#web/routes.ts'

const DESCRIPTIONS: Readonly<Record<string, RouteText>> = PAGES

/** The description of a page or screen, for `routeText`. */
export const descriptionOf = ({ id, description }: Route): RouteText => DESCRIPTIONS[id] ?? description
