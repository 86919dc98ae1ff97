import { readFile } from 'node:fs/promises'
import type { Browser, Page } from '@playwright/test'
import { insights } from '#contract/dashboard/insights.ts'
import { expectAccessibleEverywhere } from '../checks/axe.ts'
import { approve, openSection } from '../steps/dashboard-steps.ts'
import { hold } from '../support/intercept.ts'
import { newAddress } from '../support/people.ts'
import { expect, test } from '../support/product.ts'
import { waitUntilIdle } from '../support/wait-until.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

type View = { page: string; arrival?: string }

/** A page in a browser that does not look automated, and the views it reports. */
async function visitor(browser: Browser, url: string, initScript: () => void = () => {}) {
  const context = await browser.newContext({
    baseURL: url,
    userAgent: FIREFOX,
    reducedMotion: 'reduce',
    extraHTTPHeaders: { 'x-forwarded-for': newAddress() },
  })
  const page = await context.newPage()
  await page.addInitScript(() => Object.defineProperty(navigator, 'webdriver', { get: () => false }))
  await page.addInitScript(initScript)
  const reported: View[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/visits') reported.push(request.postDataJSON() as View)
  })
  return { page, reported, close: () => context.close() }
}

const openAndWait = async (page: Page, path: string) => {
  await page.goto(path)
  await waitUntilIdle(page)
}

test('a view is counted once, and a visit with its first view', async ({ browser, product }) => {
  const { page, reported, close } = await visitor(browser, product.url)
  await openAndWait(page, '/?ref=FRAN222222')
  await expect.poll(() => reported).toEqual([{ page: '/', arrival: 'invitation' }])
  await openAndWait(page, '/about')
  await expect.poll(() => reported.slice(1)).toEqual([{ page: '/about' }])
  await openAndWait(page, '/leaderboard')
  await expect.poll(() => reported.slice(2)).toEqual([{ page: '/leaderboard' }])
  await page.getByRole('banner').getByRole('link', { name: 'Airdrop' }).click()
  await expect.poll(() => reported.slice(3)).toEqual([{ page: '/airdrop' }])
  await openAndWait(page, '/login')
  await openAndWait(page, '/register')
  await expect.poll(() => reported.slice(4)).toEqual([{ page: '/register' }])
  await close()

  const { token } = await product.admin()
  // Other tests arrive by invitation, too, but in browsers that look automated and are not counted.
  const invited = async () => {
    const { body } = await product.call(insights, { token, query: { by: 'day' } })
    return body.data.arrivals.filter(({ arrival }) => arrival === 'invitation').map(({ visits }) => visits)
  }
  await expect.poll(invited).toEqual([1])
})

test('does not count visitors who send Do Not Track, nor prerendered pages until they are shown', async ({
  browser,
  product,
}) => {
  const quiet = await visitor(browser, product.url, () =>
    Object.defineProperty(navigator, 'doNotTrack', { get: () => '1' }),
  )
  await openAndWait(quiet.page, '/')
  await openAndWait(quiet.page, '/airdrop')
  expect(await quiet.page.evaluate(() => sessionStorage.length)).toBe(0)
  expect(quiet.reported).toEqual([])
  await quiet.close()

  const ahead = await visitor(browser, product.url, () =>
    Object.defineProperty(document, 'prerendering', { get: () => !('seen' in window), configurable: true }),
  )
  const views: View[] = []
  for (const view of [{ page: '/about', arrival: 'direct' }, { page: '/airdrop' }]) {
    await openAndWait(ahead.page, view.page)
    expect(ahead.reported).toEqual(views)
    await ahead.page.evaluate(() => {
      Object.assign(window, { seen: true })
      document.dispatchEvent(new Event('prerenderingchange'))
    })
    views.push(view)
    await expect.poll(() => ahead.reported).toEqual(views)
  }
  await ahead.close()
})

test('an administrator reads a chart by keyboard, opens its table and downloads it as CSV', async ({
  page,
  product,
}) => {
  test.slow()
  // An administrator of its own, so that the figures hold only this test's decisions.
  const admin = await product.anotherAdmin()
  const claimant = await product.newClaimant()
  await product.newClaimant()
  await approve(product, claimant, admin)

  await product.storeSession(page, admin)
  await openSection(page, 'Insights')
  await expect(page).toHaveURL('/dashboard/insights')
  const approved = page.getByRole('slider', { name: 'Approved: values by period' })
  await expect(approved).toHaveAttribute('aria-valuetext', /: [1-9]\d*$/)
  const last = Number(await approved.getAttribute('aria-valuemax'))
  await approved.press('ArrowLeft')
  await expect(approved).toHaveAttribute('aria-valuenow', `${last - 1}`)
  // Not the day before, on which another test of this product may have approved a claim before midnight.
  await approved.press('Home')
  await expect(approved).toHaveAttribute('aria-valuetext', /: 0$/)
  await page.getByRole('region', { name: 'Decisions by reviewer', exact: true }).getByText('Table').click()
  await expect(
    page
      .getByRole('table', { name: 'Decisions by reviewer' })
      .getByRole('row', { name: admin.user.username }),
  ).toContainText('1')

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download “Decisions by reviewer” as CSV' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^reviewers-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/)
  const lines = (await readFile(await download.path(), 'utf8')).split('\r\n')
  expect(lines[0]).toBe('reviewer,approved,rejected,undone')
  expect(lines).toContain(`${admin.user.username},1,0,0`)

  // Every drawing hatches with a pattern of its own.
  const ids = await page.locator('pattern[id]').evaluateAll((patterns) => patterns.map(({ id }) => id))
  expect(ids.length).toBeGreaterThan(2)
  expect(ids).toEqual([...new Set(ids)])

  await page.getByRole('button', { name: 'Week', exact: true }).click()
  await expect(page).toHaveURL(/by=week/)
  await expectAccessibleEverywhere(page, 'figures', 'main')

  const from = page.getByLabel('From', { exact: true })
  const figures = page.getByRole('main').locator('[aria-busy]')
  const answer = await hold(page, '**/api/v1/insights?*')
  await page.getByRole('button', { name: '365 days', exact: true }).click()
  await expect(figures).toHaveAttribute('aria-busy', 'true')
  await from.fill('2026-02-02')
  answer.release()
  await expect(figures).toHaveAttribute('aria-busy', 'false')
  await expect(from, 'typed before the answer').toHaveValue('2026-02-02')
  await page.getByLabel('To', { exact: true }).fill('2026-02-01')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page.getByText('The last day is before the first.')).toBeVisible()
  await expect(from, 'kept for correction').toHaveValue('2026-02-02')
})
