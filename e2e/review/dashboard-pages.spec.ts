import type { Page, Route } from '@playwright/test'
import { MAX_BULK_CLAIMS } from '#contract/dashboard/review.ts'
import type { User } from '#contract/entities.ts'
import { evidenceCard } from '../steps/dashboard-steps.ts'
import { expect, test, type Product } from '../support/product.ts'

/*
 * These tests fake the list of claims, because they need hundreds of claims, or values that the API refuses.
 * dashboard.spec.ts tests the same screen with the product's own list.
 */
const LIST = /\/api\/v1\/users\/\?/
const TOTAL_PAGES = 12
const PAGE_SIZE = 20

/** @param place in the list, counted from 1 */
function userAt(place: number, changes: Partial<User> = {}): User {
  const idEnd = `${place}`.padStart(12, '0')
  const name = `pip${place}`
  const figures = { referralCount: 0, referralReward: 0, pfPoints: 0, plsPoints: 0, totalPoints: 0 }
  return {
    _id: `00000000-0000-7000-8000-${idEnd}`,
    username: name,
    email: `${name}@mail.example`,
    referralCode: 'PIPPIP22',
    role: 'user',
    isTaskCompleted: true,
    ...figures,
    taskId: {
      _id: `00000000-0000-7000-8001-${idEnd}`,
      wallet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      telegram: name,
      twitter: name,
      retweetLink: `https://x.com/${name}/status/1`,
      pfPoints: 0,
      plsPoints: 0,
      approved: false,
      underReview: true,
    },
    ...changes,
  }
}

async function openDashboard(page: Page, product: Product, answer: (route: Route) => Promise<void>) {
  await product.storeSession(page, await product.admin())
  await page.route(LIST, answer)
  await page.goto('/dashboard')
}

/** Answers with a list that has one page. */
const onePage = (data: User[]) => (route: Route) =>
  route.fulfill({ json: { data, pagination: { currentPage: 1, totalPages: 1, totalItems: data.length } } })

test('paginates with Previous, Next, numbers and ellipses', async ({ page, product }) => {
  await openDashboard(page, product, (route) => {
    const currentPage = Number(new URL(route.request().url()).searchParams.get('page'))
    const data = Array.from({ length: PAGE_SIZE }, (_, row) =>
      userAt((currentPage - 1) * PAGE_SIZE + row + 1),
    )
    const totalItems = TOTAL_PAGES * PAGE_SIZE
    return route.fulfill({ json: { data, pagination: { currentPage, totalPages: TOTAL_PAGES, totalItems } } })
  })
  const pages = page.getByRole('navigation', { name: 'Pages of claims' })
  const items = pages.getByRole('listitem')
  const previous = pages.getByRole('button', { name: 'Previous', exact: true })
  const next = pages.getByRole('button', { name: 'Next', exact: true })
  const current = pages.locator('[aria-current="page"]')

  await test.step('the next page', async () => {
    await expect(items).toHaveText(['1', '2', '3', '4', '5', '…', '12'])
    await expect(previous).toBeDisabled()
    await next.click()
    await expect(current).toHaveText('2')
    await expect(page).toHaveURL('/dashboard?page=2')
    await expect(page.locator('tbody td').first()).toHaveText('21')
  })

  await test.step('a page by its number, the previous page, and the way back', async () => {
    await pages.getByRole('button', { name: '12', exact: true }).click()
    await expect(items).toHaveText(['1', '…', '8', '9', '10', '11', '12'])
    await expect(next).toBeDisabled()
    await previous.click()
    await expect(current).toHaveText('11')
    await page.goBack()
    await expect(current).toHaveText('12')
  })

  await test.step('the card of a claim stays in view when the list is scrolled to its end', async () => {
    await page.setViewportSize({ width: 1440, height: 600 })
    await page.getByRole('button', { name: 'pip221', exact: true }).click()
    await expect(evidenceCard(page)).toBeInViewport()
    await pages.scrollIntoViewIfNeeded()
    await expect(current).toBeInViewport()
    await expect(evidenceCard(page)).toBeInViewport()
  })
})

test('shows empty values as a dash, and markup as plain text', async ({ page, product }) => {
  const claim = userAt(1).taskId!
  const emptyClaim = { ...claim, telegram: '', twitter: '', retweetLink: '' }
  const markup = '<img src=x onerror="window.struck=true">'
  const hostileUser = (place: number, retweetLink: string) => {
    const taskId = { ...claim, telegram: markup, twitter: markup, retweetLink }
    return userAt(place, { username: markup, email: markup, taskId })
  }
  const data = [
    userAt(1, { email: '', taskId: emptyClaim }),
    userAt(2, { username: '', taskId: null }),
    hostileUser(3, 'javascript:window.struck=true'),
    hostileUser(4, 'https://x.com.evil.example/a/status/1'),
    hostileUser(5, markup),
  ]
  await openDashboard(page, product, onePage(data))
  const cells = (row: number) => page.locator('tbody').getByRole('row').nth(row).getByRole('cell')
  await expect(cells(0)).toHaveText(['1', 'pip1', '-', '-', '-', '-', 'Verify Task'])
  await expect(cells(1)).toHaveText(['2', '-', 'pip2@mail.example', '-', '-', '-', '-'])
  await expect(cells(2).nth(1)).toHaveText(markup)
  await expect(cells(2).nth(2)).toHaveText(markup)
  await expect(cells(2).nth(3)).toContainText(markup)
  await expect(cells(2).nth(5)).toHaveText('javascript:window.struck=true')
  await expect(page.locator('tbody a')).toHaveCount(0)
  await expect(page.locator('tbody img')).toHaveCount(0)
  expect(await page.evaluate(() => 'struck' in window)).toBe(false)
  await expect(page.getByRole('navigation', { name: 'Pages of claims' })).toHaveCount(0)
})

test('refuses to decide more claims at once than a call may contain', async ({ page, product }) => {
  const count = MAX_BULK_CLAIMS + 1
  const data = Array.from({ length: count }, (_, row) => userAt(row + 1))
  await openDashboard(page, product, onePage(data))
  const boxes = page.getByRole('checkbox', { name: /^Select / })
  await expect(boxes).toHaveCount(count)
  await boxes.evaluateAll((inputs: HTMLInputElement[]) => {
    for (const input of inputs) input.click()
  })
  const limit = page.getByText(`You can decide at most ${MAX_BULK_CLAIMS} at once.`)
  const decisions = [
    page.getByRole('button', { name: 'Verify selected' }),
    page.getByRole('button', { name: 'Reject selected' }),
  ]
  await expect(page.getByText(`${count} selected`)).toBeVisible()
  await expect(limit).toBeVisible()
  for (const button of decisions) await expect(button).toBeDisabled()
  await boxes.first().uncheck()
  await expect(limit).toHaveCount(0)
  for (const button of decisions) await expect(button).toBeEnabled()
})
