import { ROUTES } from '#web/routes.ts'

export const SPECULATION_RULES_PATH = '/speculation-rules.json'
/** Browsers take the rules as nothing else. */
export const SPECULATION_RULES_TYPE = 'application/speculationrules+json'

/**
 * Which links a browser may open before they are followed: marketing pages alone, which do nothing but show
 * themselves (their islands wait until they are seen). A link within the page, or to it, is left out.
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
