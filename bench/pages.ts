import { type Browser, chromium } from '@playwright/test'
import Fastify from 'fastify'
import campaign from '#campaign'
import { registerSite } from '#server/site/register-site.ts'
import { type Route, ROUTES } from '#web/routes.ts'
import { launchOptions } from '../e2e/chromium.ts'
import { BUDGETS, type Visit, visitPage, visitScreen } from '../e2e/weight.ts'
import { findBrowser } from '../tools/testing/browser.ts'
import type { Report, Row } from './report.ts'

/** What a first visit costs, counted in a browser as e2e/weight.spec.ts does, which holds some of them to the budget. */
export async function pages(): Promise<Report> {
  const app = Fastify()
  await registerSite(app, {
    campaign,
    publicUrl: 'http://localhost:3000',
    dev: false,
    readHeads: async () => [],
    findInviter: async () => undefined,
    countDrawing: async () => {},
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const browser = await chromium.launch(launchOptions(await findBrowser(process.env)))
  try {
    return {
      title: 'First visits, bytes as they were sent',
      rows: await visitAll(browser, url),
      notes: NOTES,
    }
  } finally {
    await browser.close()
    await app.close()
  }
}

const NOTES = [
  'Bodies only, brotli; fonts are compressed by themselves. Before idle: what comes when a browser never rests.',
  'Nothing but the site answers here: a price costs less than 1 kB more.',
]

async function visitAll(browser: Browser, url: string): Promise<Row[]> {
  const rows: Row[] = []
  for (const route of Object.values(ROUTES).filter(({ kind }) => kind === 'page'))
    rows.push(rowOf('page', route.path, await visitPage(browser, url + route.path)))
  rows.push(rowOf('page', 'a page, at most'))
  const { path }: Route = ROUTES.login
  rows.push(rowOf('screen', path, await visitScreen(browser, url + path)), rowOf('screen', 'login, at most'))
  return rows
}

/** One row has the columns of all budgets; without a visit, the budgets themselves. */
function rowOf(kind: keyof typeof BUDGETS, name: string, visit?: Visit): Row {
  const own = new Map(BUDGETS[kind].map((budget) => [budget.what, budget]))
  const cells = BUDGETS.page.map(({ what }) => {
    const budget = own.get(what)
    return [what, budget ? (visit ? budget.of(visit) : budget.atMost) : ''] as const
  })
  return { visit: name, ...Object.fromEntries(cells) }
}
