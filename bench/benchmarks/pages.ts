import { type Browser, chromium } from '@playwright/test'
import Fastify from 'fastify'
import campaign from '#server/testing/campaign.ts'
import { siteWithoutDatabase } from '#server/testing/builders/site.ts'
import { registerSite } from '#server/site/register-site.ts'
import { type Route, ROUTES } from '#web/routes.ts'
import { launchOptions } from '../../e2e/support/chromium.ts'
import { BUDGETS, type FirstVisit, openVisitor, visitPage, visitScreen } from '../../e2e/checks/weight.ts'
import { findBrowser } from '../../tools/testing/browser.ts'
import type { Options, Report, Row } from '../report.ts'

/**
 * Measures first visits in the same way as e2e/site/weight.spec.ts, which enforces budgets for some of them.
 * Takes 15 seconds. With `--quick`, visits only Home and Login, in five seconds.
 */
export async function pages({ quick }: Options): Promise<Report> {
  const app = Fastify()
  await registerSite(app, { ...siteWithoutDatabase(campaign), publicUrl: 'http://localhost:3000' })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const browser = await chromium.launch(launchOptions(await findBrowser(process.env)))
  try {
    return {
      title: 'First visits, bytes transferred',
      rows: await visitAll(browser, url, quick ? [ROUTES.home] : Object.values(ROUTES)),
      notes: NOTES,
    }
  } finally {
    await browser.close()
    await app.close()
  }
}

const NOTES = [
  'Bodies only, brotli; fonts are already compressed. Before idle: what loads while the browser is never idle.',
  'Without the API; its answer with the price would add less than 1 kB.',
]

async function visitAll(browser: Browser, url: string, routes: readonly Route[]): Promise<Row[]> {
  const rows: Row[] = []
  const visitor = await openVisitor(browser)
  for (const route of routes.filter(({ kind }) => kind === 'page'))
    rows.push(rowOf('page', route.path, await visitPage(visitor, url + route.path)))
  rows.push(rowOf('page', 'budget of a page'))
  const { path }: Route = ROUTES.login
  rows.push(rowOf('screen', path, await visitScreen(visitor, url + path)), rowOf('screen', 'budget of login'))
  return rows
}

/** The figures of a visit, or without one the budgets; empty for a screen where only pages have a budget. */
function rowOf(kind: keyof typeof BUDGETS, visitName: string, visit?: FirstVisit): Row {
  const budgets = new Map(BUDGETS[kind].map((budget) => [budget.name, budget]))
  const cells = BUDGETS.page.map(({ name }) => {
    const budget = budgets.get(name)
    const figure = visit ? budget?.measure(visit) : budget?.atMost
    return [name, figure ?? ''] as const
  })
  return { visit: visitName, ...Object.fromEntries(cells) }
}
