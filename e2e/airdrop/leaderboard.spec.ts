import { leaderboard } from '#contract/leaderboard.ts'
import { approve } from '../steps/dashboard-steps.ts'
import { hold } from '../support/held-calls.ts'
import { expect, test, type Product } from '../support/product.ts'

const CALL = /\/api\/v1\/users\/leaderboard/

/** Creates three approved participants, one invited by another, and enough others for a second page. */
async function fill(product: Product): Promise<void> {
  await Promise.all(Array.from({ length: 9 }, () => product.newParticipant()))
  const first = await product.newClaimant()
  const referralCode = first.user.referralCode
  const [second, third] = await Promise.all([product.newClaimant({ referralCode }), product.newClaimant()])
  for (const who of [first, second, third]) await approve(product, who)
}

/** A page of the leaderboard from the API. */
const pageOf = async (product: Product, page: number) =>
  (await product.call(leaderboard, { query: { page, limit: 10 } })).body

const grouped = (points: number) => points.toLocaleString('en')

test('ranks participants across pages, with medals for the first three', async ({ page, product }) => {
  await fill(product)
  const { data, pagination } = await pageOf(product, 1)
  const { totalPages } = pagination
  expect(totalPages).toBeGreaterThan(1)

  await page.goto('/leaderboard')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Leaderboard')
  await expect(page.getByRole('columnheader')).toHaveText(['Rank', 'User', 'PF', 'PLS', 'Ref', 'Total'])
  const rows = page.locator('tbody').getByRole('row')
  await expect(rows).toHaveCount(10)
  for (const [index, entry] of data.entries()) {
    const cells = rows.nth(index).getByRole('cell')
    await expect(cells.nth(1)).toContainText(entry.username)
    // Other tests add other email domains; at most two letters of any name are shown.
    await expect(cells.nth(1)).toContainText(/^\S+pi•••@[a-z]+\.[a-z]+$/)
    for (const [column, points] of [
      [2, entry.pfPoints],
      [3, entry.plsPoints],
      [4, entry.referralReward],
      [5, entry.totalPoints],
    ] as const)
      await expect(cells.nth(column)).toHaveText(grouped(points))
    const medal = ['1, Gold medal', '2, Silver medal', '3, Bronze medal'][index]
    if (medal) {
      await expect(cells.first().getByRole('img', { name: medal })).toBeVisible()
      await expect(cells.nth(1).getByText(entry.username)).toHaveCSS('font-weight', '700')
    } else {
      await expect(cells.first()).toHaveText(String(index + 1))
      await expect(cells.nth(1).getByText(entry.username)).not.toHaveCSS('font-weight', '700')
    }
  }
  expect(data[0]).toMatchObject({ referralReward: 1_000, totalPoints: 41_000 })

  const [previous, next] = [
    page.getByRole('button', { name: 'Prev' }),
    page.getByRole('button', { name: 'Next' }),
  ]
  await expect(page.getByText(`Page 1 of ${totalPages}`)).toBeVisible()
  await expect(previous).toBeDisabled()
  await next.click()
  await expect(page.getByText(`Page 2 of ${totalPages}`)).toBeVisible()
  await expect(rows.first().getByRole('cell').first()).toHaveText('11')
  const second = await pageOf(product, 2)
  await expect(rows.first()).toContainText(second.data[0]?.username ?? '')
  await expect(page.getByRole('img', { name: /medal/ })).toHaveCount(0)

  await page.goto(`/leaderboard?page=${totalPages}`)
  await expect(page.getByText(`Page ${totalPages} of ${totalPages}`)).toBeVisible()
  await expect(next).toBeDisabled()
  await previous.click()
  await expect(page.getByText(`Page ${totalPages - 1} of ${totalPages}`)).toBeVisible()
})

test('shows the last page in place of one beyond it, also when pages disappear', async ({
  page,
  product,
}) => {
  await fill(product)
  const { totalPages } = (await pageOf(product, 1)).pagination
  const last = page.getByText(`Page ${totalPages} of ${totalPages}`)
  await page.goto('/roadmap')
  await page.goto(`/leaderboard?page=${totalPages + 5}`)
  await expect(last).toBeVisible()
  await expect(page).toHaveURL(`/leaderboard?page=${totalPages}`)
  await page.goBack()
  await expect(page).toHaveURL('/roadmap')

  let isShorter = false
  await page.route(CALL, async (route) => {
    const answer = await route.fetch()
    const { data, pagination } = (await answer.json()) as Awaited<ReturnType<typeof pageOf>>
    if (!isShorter || pagination.currentPage < totalPages) return route.fulfill({ response: answer })
    const shorter = { ...pagination, totalPages: totalPages - 1 }
    return route.fulfill({ response: answer, json: { data: data.slice(0, 0), pagination: shorter } })
  })
  await page.goto(`/leaderboard?page=${totalPages}`)
  await expect(last).toBeVisible()
  isShorter = true
  // Makes the application load again what it shows.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await expect(page).toHaveURL(`/leaderboard?page=${totalPages - 1}`)
  await expect(page.getByRole('table')).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
})

test('loads ten rows per page, shows a spinner meanwhile and masks every address', async ({
  page,
  product,
}) => {
  await product.storeSession(page, await product.newParticipant())
  const call = await hold(page, CALL)
  const request = page.waitForRequest(CALL)
  await page.goto('/leaderboard')
  expect(new URL((await request).url()).search).toBe('?page=1&limit=10')
  await expect(page.getByRole('status').getByText('Loading...')).toBeVisible()
  await expect(page.getByRole('table')).toHaveCount(0)
  call.release()
  await expect(page.getByRole('table')).toBeVisible()
  await expect(page.getByRole('status').getByText('Loading...')).toHaveCount(0)
  const { pagination } = await pageOf(product, 1)
  for (let number = 1; number <= pagination.totalPages; number += 1) {
    await page.goto(`/leaderboard?page=${number}`)
    await expect(page.getByRole('table')).toBeVisible()
    expect(await page.locator('main').innerText()).not.toMatch(/[^•]@/)
  }
})

test('shows an error with a retry when the leaderboard fails to load', async ({ page }) => {
  await page.route(CALL, (route) => route.abort(), { times: 1 })
  await page.goto('/leaderboard')
  await expect(page.getByText('Failed to load leaderboard')).toBeVisible()
  await expect(page.getByText('No users found yet.')).toHaveCount(0)
  const busy = { status: 503, json: { message: 'The service is busy right now.', code: 'unavailable' } }
  await page.route(CALL, (route) => route.fulfill(busy), { times: 1 })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('The service is busy right now.')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
})
