import type { Locator, Page } from '@playwright/test'
import { newProof } from './people.ts'
import { expect, test } from './product.ts'

/** Presses Tab until something has the focus, which must be seen on it. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  const isThere = () => target.evaluate((element) => element === document.activeElement)
  for (let presses = 0; presses < 40 && !(await isThere()); presses += 1) await page.keyboard.press('Tab')
  await expect(target).toBeFocused()
  await expect(target).not.toHaveCSS('outline-style', 'none')
}

async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

test('from the first page to a claim without a mouse', async ({ page, product }) => {
  await product.signIn(page, await product.newParticipant())
  await page.goto('/')

  await test.step('the first stop skips to the content', async () => {
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to content' })
    await expect(skip).toBeFocused()
    await expect(skip).toBeInViewport()
    await page.keyboard.press('Enter')
    await expect(page.locator('main')).toBeFocused()
    await tabTo(page, page.getByRole('link', { name: 'Buy', exact: true }))
  })

  await test.step('copies the contract', async () => {
    const copy = page.locator('#hero .stat-card').getByRole('button')
    await press(page, copy)
    await expect(copy).toHaveText('Copied!')
    await expect(copy).toBeFocused()
  })

  await test.step('goes to the airdrop', async () => {
    await page.reload()
    await press(page, page.locator('header').getByRole('link', { name: 'Airdrop' }))
    await expect(page).toHaveURL('/airdrop')
    await press(page, page.getByRole('button', { name: 'Claim Now' }))
    await expect(page.getByRole('heading', { name: 'Four tasks' })).toBeFocused()
  })

  await test.step('opens the tasks', async () => {
    for (const task of await page.locator('button[data-done]').all()) {
      await tabTo(page, task)
      const opened = page.waitForEvent('popup')
      await page.keyboard.press('Enter')
      await (await opened).close()
      await page.bringToFront()
      await expect(task).toBeFocused()
    }
    await press(page, page.getByRole('button', { name: 'All Tasks Done — Continue' }))
    await expect(page.getByRole('heading', { name: 'Claim Your Airdrop' })).toBeFocused()
  })

  await test.step('types the proof and sends it', async () => {
    const proof = newProof()
    for (const [label, text] of [
      ['Wallet Address', proof.wallet],
      ['Telegram', proof.telegram],
      ['Twitter', proof.twitter],
      ['Retweet Link', proof.retweetLink],
    ] as const) {
      await tabTo(page, page.getByLabel(label))
      await page.keyboard.type(text)
    }
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/profile')
    await expect(page.getByText(/^(Submitted|Under Review)$/)).toBeVisible()
    // The new screen begins at its top.
    await expect(page.locator('main')).toBeFocused()
  })
})
