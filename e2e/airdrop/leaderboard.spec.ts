import type { Locator } from '@playwright/test'
import type { ReplyOf } from '#contract/protocol/endpoint.ts'
import { leaderboard } from '#contract/leaderboard.ts'
import { expectAccessibleOnPhone, NARROWEST, PHONE } from '../checks/axe.ts'
import { approve } from '../steps/dashboard-steps.ts'
import { returnToTab } from '../steps/page-steps.ts'
import { changeReplies, hold } from '../support/intercept.ts'
import { expect, test, type Product } from '../support/product.ts'

const CALL = /\/api\/v1\/users\/leaderboard/

/** Creates three approved participants, one invited by another, and nine others for a second page. */
async function fillLeaderboard(product: Product): Promise<void> {
  await Promise.all(Array.from({ length: 9 }, () => product.newParticipant()))
  const inviter = await product.newClaimant()
  const { referralCode } = inviter.user
  const others = await Promise.all([product.newClaimant({ referralCode }), product.newClaimant()])
  for (const who of [inviter, ...others]) await approve(product, who)
}

const pageOf = async (product: Product, page: number) =>
  (await product.call(leaderboard, { query: { page, limit: 10 } })).body

/** The distance from the top of the document, in pixels. */
const topOf = (element: Locator) =>
  element.evaluate((it) => Math.round(it.getBoundingClientRect().top + scrollY))

const grouped = (points: number) => points.toLocaleString('en')

test('the leaderboard ranks participants across pages, with three medals', async ({ page, product }) => {
  await fillLeaderboard(product)
  const { data, pagination } = await pageOf(product, 1)
  const { totalPages } = pagination
  expect(totalPages).toBeGreaterThan(1)
  const rows = page.locator('tbody').getByRole('row')
  const currentPage = (number: number) => page.getByText(`Page ${number} of ${totalPages}`)
  const previous = page.getByRole('button', { name: 'Prev' })
  const next = page.getByRole('button', { name: 'Next' })
  const size = page.viewportSize() ?? { width: 1280, height: 720 }

  await test.step('a spinner is shown where ten rows will be, below the place of the podium', async () => {
    await page.setViewportSize(PHONE)
    const list = page.locator('main [aria-busy]')
    const call = await hold(page, CALL)
    const request = page.waitForRequest(CALL)
    await page.goto('/leaderboard')
    expect(new URL((await request).url()).search).toBe('?page=1&limit=10')
    await expect(page.getByRole('status').getByText('Loading...')).toBeVisible()
    await expect(page.getByRole('table')).toHaveCount(0)
    const top = await topOf(list)
    call.release()
    await expect(rows).toHaveCount(10)
    expect(await topOf(list)).toBe(top)
    await expect(page.getByRole('status').getByText('Loading...')).toHaveCount(0)
    await page.unrouteAll({ behavior: 'wait' })
    await page.setViewportSize(size)
  })

  await test.step('each row has its points, and no full email address', async () => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Leaderboard')
    await expect(page.getByRole('columnheader')).toHaveText(['Rank', 'User', 'PF', 'PLS', 'Ref', 'Total'])
    for (const [index, entry] of data.entries()) {
      const cells = rows.nth(index).getByRole('cell')
      const userCell = cells.nth(1)
      await expect(userCell).toContainText(entry.username)
      // Emails are shown with two letters, here `pi`, and their domain.
      await expect(userCell).toContainText(/^\S+pi•••@[a-z]+\.[a-z]+$/)
      const points = [entry.pfPoints, entry.plsPoints, entry.referralReward, entry.totalPoints].map(grouped)
      await expect(cells).toHaveText([/\d/, /@/, ...points])
      const medal = ['1, Gold medal', '2, Silver medal', '3, Bronze medal'][index]
      if (medal) {
        await expect(cells.first().getByRole('img', { name: medal })).toBeVisible()
        await expect(userCell.getByText(entry.username)).toHaveCSS('font-weight', '700')
      } else {
        await expect(cells.first()).toHaveText(String(index + 1))
        await expect(userCell.getByText(entry.username)).not.toHaveCSS('font-weight', '700')
      }
    }
    // The inviter has an approved claim (four tasks with 2 × 5,000 points) and one referral reward.
    expect(data[0]).toMatchObject({ referralReward: 1_000, totalPoints: 41_000 })
    expect(await page.locator('main').innerText()).not.toMatch(/[^•]@/)
  })

  await test.step('the points of the first three are bold on a phone, too', async () => {
    await page.setViewportSize(PHONE)
    for (const [index, weight] of ['700', '700', '700', '400'].entries())
      for (const pointsCell of [2, 3, 4])
        await expect(rows.nth(index).getByRole('cell').nth(pointsCell)).toHaveCSS('font-weight', weight)
    await page.setViewportSize(size)
  })

  await test.step('points in the billions do not overlap on the narrowest phone', async () => {
    const points = { pfPoints: 12_345_678_901, plsPoints: 12_345_678_901 }
    await changeReplies(page, CALL, (reply: ReplyOf<typeof leaderboard>) => ({
      ...reply,
      data: reply.data.map((entry) => ({ ...entry, ...points })),
    }))
    await page.setViewportSize(NARROWEST)
    await page.reload()
    const cells = rows.first().getByRole('cell')
    await expect(cells.nth(2)).toHaveText('12,345,678,901')
    for (const pointsCell of [2, 3])
      expect(await cells.nth(pointsCell).evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0)
    await page.unrouteAll({ behavior: 'wait' })
    await page.setViewportSize(size)
    await page.reload()
  })

  await test.step('the second page continues with rank 11', async () => {
    await expect(currentPage(1)).toBeVisible()
    await expect(previous).toBeDisabled()
    const top = await topOf(page.getByRole('heading', { level: 1 }))
    const tableTop = await topOf(page.getByRole('table'))
    const call = await hold(page, CALL)
    // The next step tests that the history has only one new entry.
    await next.dblclick()
    call.release()
    await expect(currentPage(2)).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
    expect(await topOf(page.getByRole('heading', { level: 1 }))).toBe(top)
    expect(await topOf(page.getByRole('table')), 'no gap in place of the podium').toBeLessThan(tableTop)
    await expect(rows.first().getByRole('cell').first()).toHaveText('11')
    const secondPage = await pageOf(product, 2)
    await expect(rows.first()).toContainText(secondPage.data[0]?.username ?? '')
    await expect(page.getByRole('img', { name: /medal/ })).toHaveCount(0)
  })

  await test.step('a double click on Next adds only one entry to the history', async () => {
    await page.goBack()
    await expect(currentPage(1)).toBeVisible()
  })

  await test.step('a page number that is too high shows the last page', async () => {
    await page.goto('/roadmap')
    await page.goto(`/leaderboard?page=${totalPages + 5}`)
    await expect(currentPage(totalPages)).toBeVisible()
    await expect(page).toHaveURL(`/leaderboard?page=${totalPages}`)
    await expect(next).toBeDisabled()
    await page.goBack()
    await expect(page).toHaveURL('/roadmap')
  })

  await test.step('when the last page disappears, the page before it is shown', async () => {
    let isShorter = false
    await changeReplies(page, CALL, (reply: Awaited<ReturnType<typeof pageOf>>) => {
      if (!isShorter || reply.pagination.currentPage < totalPages) return reply
      return { data: [], pagination: { ...reply.pagination, totalPages: totalPages - 1 } }
    })
    await page.goto(`/leaderboard?page=${totalPages}`)
    await expect(currentPage(totalPages)).toBeVisible()
    await previous.click()
    await expect(currentPage(totalPages - 1)).toBeVisible()
    await next.click()
    await expect(currentPage(totalPages)).toBeVisible()
    // While a request is running, returning to the tab would not start another.
    await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0)
    isShorter = true
    await returnToTab(page)
    await expect(page).toHaveURL(`/leaderboard?page=${totalPages - 1}`)
    await expect(page.getByRole('table')).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
  })
})

test('a leaderboard that fails to load shows the error, and can be loaded again', async ({ page }) => {
  await page.route(CALL, (route) => route.abort(), { times: 1 })
  await page.goto('/leaderboard')
  await expect(page.getByText('Failed to load leaderboard')).toBeVisible()
  await expect(page.getByText('No users found yet.')).toHaveCount(0)
  // This message stays after the toast has gone.
  await expect(page.getByRole('main').getByText('We couldn’t load this part of the page.')).toBeVisible()
  await expectAccessibleOnPhone(page, 'failed leaderboard', 'main')
  const busy = { status: 503, json: { message: 'The service is busy right now.', code: 'unavailable' } }
  await page.route(CALL, (route) => route.fulfill(busy), { times: 1 })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('The service is busy right now.')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  const loaded = page.getByRole('table').or(page.getByText('No users found yet.'))
  await expect(loaded).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
})
