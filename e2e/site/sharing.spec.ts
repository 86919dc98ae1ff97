import type { Page } from '@playwright/test'
import sharp from 'sharp'
import campaign from '#server/testing/campaign.ts'
import { copied } from '../steps/page-steps.ts'
import { expect, test } from '../support/product.ts'

type Sheet = 'absent' | 'shares' | 'cancels' | 'fails'

/** Runs in the page. */
function fakeShareSheet(sheet: Sheet): void {
  if (sheet === 'absent') return
  const share = (data: ShareData) => {
    document.documentElement.dataset['sheet'] = sheet
    if (sheet === 'cancels') return Promise.reject(new DOMException('Share canceled', 'AbortError'))
    if (sheet === 'fails') return Promise.reject(new DOMException('Permission denied', 'NotAllowedError'))
    document.documentElement.dataset['shared'] = JSON.stringify(data)
    return Promise.resolve()
  }
  Object.defineProperty(navigator, 'share', { value: share, configurable: true })
}

async function readShared(page: Page): Promise<ShareData> {
  await expect(page.locator('html')).toHaveAttribute('data-sheet', 'shares')
  return JSON.parse((await page.locator('html').getAttribute('data-shared')) ?? 'null') as ShareData
}

test('Home is shared through the system, or by copying its link', async ({ page, product }) => {
  await page.clock.install()
  await page.goto('/')
  const button = page.getByRole('button', { name: /^(Share|Link copied!)$/ })
  const share = async (sheet: Sheet) => {
    await page.evaluate(fakeShareSheet, sheet)
    await page.evaluate(() => navigator.clipboard.writeText('something else'))
    await button.click()
  }

  await test.step('the preview picture loads', async () => {
    const url = await page.locator('meta[property="og:image"]').getAttribute('content')
    const picture = await page.request.get(url ?? '')
    const { width, height } = await sharp(await picture.body()).metadata()
    expect([width, height]).toEqual([1200, 630])
  })

  for (const sheet of ['absent', 'fails'] as const)
    await test.step(`copies the link if the share sheet ${sheet === 'absent' ? 'is absent' : sheet}`, async () => {
      await share(sheet)
      await expect(button).toHaveText('Link copied!')
      expect(await copied(page)).toBe(`${product.url}/`)
      await page.clock.fastForward(2_000)
      await expect(button).toHaveText('Share')
    })

  await test.step('copies nothing when sharing is canceled', async () => {
    await share('cancels')
    await expect(page.locator('html')).toHaveAttribute('data-sheet', 'cancels')
    await expect(button).toHaveText('Share')
    expect(await copied(page)).toBe('something else')
  })

  await test.step('shares name, tagline and address', async () => {
    await share('shares')
    const { name: title } = campaign.token
    expect(await readShared(page)).toEqual({ title, text: campaign.texts.tagline, url: `${product.url}/` })
    expect(await copied(page)).toBe('something else')
  })
})

test('an invitation is copied or shared, and its form names the inviter', async ({ page, product }) => {
  const inviter = await product.newParticipant()
  const invitation = `${product.url}/register?ref=${inviter.user.referralCode}`
  await product.openAs(page, inviter, '/profile')
  await page.getByRole('button', { name: 'Copy invitation link' }).click()
  await expect(page.getByRole('button', { name: 'Copied!' })).toBeVisible()
  expect(await copied(page)).toBe(invitation)
  await expect(page.getByRole('button', { name: 'Share invitation' })).toHaveCount(0)

  await page.addInitScript(fakeShareSheet, 'shares' as const)
  await page.reload()
  await page.getByRole('button', { name: 'Share invitation' }).click()
  expect((await readShared(page)).url).toBe(invitation)
  await page.evaluate(() => localStorage.clear())
  await page.goto(invitation)
  await expect(page.getByText(`You were invited by ${inviter.username}.`)).toBeVisible()
})
