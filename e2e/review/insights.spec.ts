import type { Browser, Page } from '@playwright/test'
import { insights } from '#contract/dashboard/insights.ts'
import { type View, VISITS_PATH } from '#contract/visits.ts'
import { expectAccessible } from '../checks/axe.ts'
import { approve, openSection } from '../steps/dashboard-steps.ts'
import { download, fakePrerendering, showPrerendered } from '../steps/page-steps.ts'
import { hold } from '../support/intercept.ts'
import { newAddress } from '../support/people.ts'
import { expect, test } from '../support/product.ts'
import { waitUntilIdle } from '../support/wait-until.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Views count only in a browser that does not look automated. @returns the page and its reported views. */
async function openVisitor(browser: Browser, url: string) {
  const context = await browser.newContext({
    baseURL: url,
    userAgent: FIREFOX,
    reducedMotion: 'reduce',
    extraHTTPHeaders: { 'x-forwarded-for': newAddress() },
  })
  const page = await context.newPage()
  await page.addInitScript(() => Object.defineProperty(navigator, 'webdriver', { get: () => false }))
  const reported: View[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === VISITS_PATH) reported.push(request.postDataJSON() as View)
  })
  return { page, reported }
}

const openAndWait = async (page: Page, path: string) => {
  await page.goto(path)
  await waitUntilIdle(page)
}

test('each view is reported once, and the first view of a visit with its arrival', async ({
  browser,
  product,
}) => {
  const { page, reported } = await openVisitor(browser, product.url)
  const expected: View[] = []
  const expectNextView = async (view: View) => {
    expected.push(view)
    await expect.poll(() => reported).toEqual(expected)
  }
  await openAndWait(page, '/?ref=FRAN222222')
  await expectNextView({ page: '/', arrival: 'invitation' })
  await openAndWait(page, '/about')
  await expectNextView({ page: '/about' })
  await openAndWait(page, '/leaderboard')
  await expectNextView({ page: '/leaderboard' })
  await page.getByRole('banner').getByRole('link', { name: 'Airdrop' }).click()
  await expectNextView({ page: '/airdrop' })
  // A view of the login is not reported.
  await openAndWait(page, '/login')
  await openAndWait(page, '/register')
  await expectNextView({ page: '/register' })

  await test.step('a prerendered page is reported only when it is shown', async () => {
    await page.evaluate(() => sessionStorage.clear()) // The next view begins a visit.
    await fakePrerendering(page)
    for (const view of [{ page: '/about', arrival: 'direct' }, { page: '/airdrop' }]) {
      await openAndWait(page, view.page)
      expect(reported).toEqual(expected)
      await showPrerendered(page)
      await expectNextView(view)
    }
  })
  await page.context().close()

  const { token } = await product.admin()
  // The browsers of other tests look automated, so their visits are not counted.
  const visitsByInvitation = async () => {
    const { body } = await product.call(insights, { token, query: { by: 'day' } })
    return body.data.arrivals.filter(({ arrival }) => arrival === 'invitation').map(({ visits }) => visits)
  }
  await expect.poll(visitsByInvitation).toEqual([1])
})

test('does not count visitors who send Do Not Track', async ({ browser, product }) => {
  const { page, reported } = await openVisitor(browser, product.url)
  await page.addInitScript(() => Object.defineProperty(navigator, 'doNotTrack', { get: () => '1' }))
  await openAndWait(page, '/')
  await openAndWait(page, '/airdrop')
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  expect(reported).toEqual([])
  await page.context().close()
})

test('an administrator reads a chart, its table and its CSV', async ({ page, product }) => {
  test.slow()
  // A new administrator, who has only the decisions of this test.
  const admin = await product.anotherAdmin()
  const claimant = await product.newClaimant()
  await product.newClaimant()
  await approve(product, claimant, admin)
  await product.storeSession(page, admin)
  await openSection(page, 'Insights')
  await expect(page).toHaveURL('/dashboard/insights')

  await test.step('moves through a chart with the keyboard', async () => {
    const approved = page.getByRole('slider', { name: 'Approved: values by period' })
    await expect(approved).toHaveAttribute('aria-valuetext', /: [1-9]\d*$/)
    const last = Number(await approved.getAttribute('aria-valuemax'))
    await approved.press('ArrowLeft')
    await expect(approved).toHaveAttribute('aria-valuenow', `${last - 1}`)
    // Not yesterday, which has approvals if other tests ran before midnight.
    await approved.press('Home')
    await expect(approved).toHaveAttribute('aria-valuetext', /: 0$/)
  })

  await test.step('reads the same figures as a table and as CSV', async () => {
    const title = 'Decisions by reviewer'
    await page.getByRole('region', { name: title, exact: true }).getByText('Table').click()
    const table = page.getByRole('table', { name: title })
    await expect(table.getByRole('row', { name: admin.user.username })).toContainText('1')
    const csv = await download(page, page.getByRole('button', { name: `Download “${title}” as CSV` }))
    expect(csv.name).toMatch(/^reviewers-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/)
    const lines = csv.content.toString().split('\r\n')
    expect(lines[0]).toBe('reviewer,approved,rejected,undone')
    expect(lines).toContain(`${admin.user.username},1,0,0`)
  })

  await test.step('no two charts share the id of a hatch pattern', async () => {
    const ids = await page.locator('pattern[id]').evaluateAll((patterns) => patterns.map(({ id }) => id))
    expect(ids.length).toBeGreaterThan(2)
    expect(ids).toEqual([...new Set(ids)])
  })

  await test.step('groups the figures by week', async () => {
    await page.getByRole('button', { name: 'Week', exact: true }).click()
    await expect(page).toHaveURL(/by=week/)
    await expectAccessible(page, 'a chart and its table', 'section:has(details[open])')
  })

  await test.step('keeps a date typed while the figures load, and a date that is refused', async () => {
    const from = page.getByLabel('From', { exact: true })
    const figures = page.getByRole('main').locator('[aria-busy]')
    const answer = await hold(page, '**/api/v1/insights?*')
    await page.getByRole('button', { name: '365 days', exact: true }).click()
    await expect(figures).toHaveAttribute('aria-busy', 'true')
    await from.fill('2026-02-02')
    answer.release()
    await expect(figures).toHaveAttribute('aria-busy', 'false')
    await expect(from).toHaveValue('2026-02-02')
    await page.getByLabel('To', { exact: true }).fill('2026-02-01')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await expect(page.getByText('The last day is before the first.')).toBeVisible()
    await expect(from).toHaveValue('2026-02-02')
  })
})
