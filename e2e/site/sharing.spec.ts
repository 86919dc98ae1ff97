import type { Page } from '@playwright/test'
import campaign from '#server/testing/campaign.ts'
import { ROUTES } from '#web/routes.ts'
import { copied } from '../support/clipboard.ts'
import { expect, test } from '../support/product.ts'

const meta = (page: Page, name: string) =>
  page.locator(`meta[property="${name}"], meta[name="${name}"]`).getAttribute('content')

test('every page has a preview image that loads', async ({ page, product }) => {
  for (const { path } of Object.values(ROUTES).filter(({ kind }) => kind === 'page')) {
    await page.goto(path)
    expect(await meta(page, 'og:url')).toBe(product.url + path)
    expect(await meta(page, 'og:title')).toBe(await page.title())
    expect(await meta(page, 'twitter:card')).toBe('summary_large_image')
    const picture = (await meta(page, 'og:image')) ?? ''
    const size = await page.evaluate(async (src) => {
      const image = new Image()
      image.src = src
      await image.decode()
      return [image.naturalWidth, image.naturalHeight]
    }, picture)
    expect(size, path).toEqual([1200, 630])
  }
})

/** Fakes `navigator.share`, which records what is shared, cancels or fails. */
async function fakeShareSheet(page: Page, answer: 'shares' | 'cancels' | 'fails'): Promise<void> {
  await page.addInitScript((how) => {
    const share = (given: ShareData) => {
      document.documentElement.dataset['shareOpened'] = ''
      if (how === 'cancels') return Promise.reject(new DOMException('Share canceled', 'AbortError'))
      if (how === 'fails') return Promise.reject(new DOMException('Permission denied', 'NotAllowedError'))
      document.documentElement.dataset['shared'] = JSON.stringify(given)
      return Promise.resolve()
    }
    Object.defineProperty(navigator, 'share', { value: share, configurable: true })
  }, answer)
}

const shared = async (page: Page) =>
  JSON.parse((await page.locator('html').getAttribute('data-shared')) ?? 'null') as ShareData | null

test.describe('the share button', () => {
  test('shares the home page through the system', async ({ page, product }) => {
    await fakeShareSheet(page, 'shares')
    await page.goto('/')
    await page.getByRole('button', { name: 'Share' }).click()
    await expect.poll(() => shared(page)).not.toBeNull()
    expect(await shared(page)).toEqual({
      title: campaign.token.name,
      text: campaign.texts.tagline,
      url: `${product.url}/`,
    })
  })

  test('copies the link if sharing is unavailable or fails', async ({ page, product }) => {
    for (const sheet of ['absent', 'fails'] as const) {
      if (sheet === 'fails') await fakeShareSheet(page, 'fails')
      await page.goto('/')
      await page.getByRole('button', { name: 'Share' }).click()
      await expect(page.getByRole('button', { name: 'Link copied!' })).toBeVisible()
      expect(await copied(page)).toBe(`${product.url}/`)
      await page.evaluate(() => navigator.clipboard.writeText(''))
    }
    await expect(page.getByRole('button', { name: 'Share' })).toBeVisible()
  })

  test('copies nothing when sharing is canceled', async ({ page }) => {
    await fakeShareSheet(page, 'cancels')
    await page.goto('/')
    await page.evaluate(() => navigator.clipboard.writeText('something else'))
    await page.getByRole('button', { name: 'Share' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-share-opened', '')
    await expect(page.getByRole('button', { name: 'Share' })).toBeVisible()
    expect(await copied(page)).toBe('something else')
  })
})

test('shares an invitation whose link leads to a form that names the inviter', async ({ page, product }) => {
  const host = await product.newParticipant()
  await fakeShareSheet(page, 'shares')
  await product.storeSession(page, host)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Share invitation' }).click()
  await expect.poll(() => shared(page)).not.toBeNull()
  const { url = '' } = (await shared(page)) ?? {}
  expect(url).toBe(`${product.url}/register?ref=${host.user.referralCode}`)
  await page.evaluate(() => localStorage.clear())
  await page.goto(url)
  await expect(page.getByText(`You were invited by ${host.username}.`)).toBeVisible()
})

test('offers only copying an invitation where the system cannot share', async ({ page, product }) => {
  const host = await product.newParticipant()
  await product.storeSession(page, host)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Copy invitation link' }).click()
  expect(await copied(page)).toBe(`${product.url}/register?ref=${host.user.referralCode}`)
  await expect(page.getByRole('button', { name: 'Share invitation' })).toHaveCount(0)
})
