import { ROUTES } from '#web/routes.ts'

export const SPECULATION_RULES_PATH = '/speculation-rules.json'
/** The only media type that browsers accept. */
export const SPECULATION_RULES_TYPE = 'application/speculationrules+json'

/**
 * Which links a browser may prerender: only marketing pages, which have no side effects (islands hydrate when
 * visible). Links to the current page are excluded.
 */
export function speculationRules(): string {
  const pages = Object.values(ROUTES).filter(({ kind }) => kind === 'page')
  const where = {
    and: [
      { href_matches: pages.map(({ path }) => ({ pathname: path, search: '' })) },
      { not: { selector_matches: '[aria-current="page"], [data-here], [href^="#"]' } },
    ],
  }
  return JSON.stringify({ prerender: [{ where, eagerness: 'moderate' }] })
}
