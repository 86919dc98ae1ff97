import type { Page } from '@playwright/test'
import { fillProof, reachProof, submitProof } from '../steps/airdrop-steps.ts'
import { expectAccessible } from '../checks/axe.ts'
import { evidenceOf, openCard } from '../steps/dashboard-steps.ts'
import { newProof } from '../support/people.ts'
import { expect, test } from '../support/product.ts'

const yourClaim = (page: Page) => page.getByRole('region', { name: 'Your claim' })
const connectButton = (page: Page) => yourClaim(page).getByRole('button', { name: 'Connect Telegram' })

test('connecting Telegram confirms membership and handle for the reviewer', async ({ page, product }) => {
  const who = await product.newParticipant()
  const proof = newProof()
  // Telegram reports usernames without the @.
  product.services.telegram.setUser({ id: 700_100_200, username: proof.telegram.slice(1) })
  const expectOutcome = (outcome: string) =>
    expect
      .poll(() => evidenceOf(product, who))
      .toMatchObject({ telegram: outcome, 'telegram-handle': outcome })

  await test.step('claims', async () => {
    await product.storeSession(page, who)
    await reachProof(page)
    await expect(page.getByText('unless you connect Telegram')).toBeVisible()
    await fillProof(page, proof)
    await submitProof(page)
  })

  await test.step('declining on Telegram connects nothing', async () => {
    await connectButton(page).click()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await expect(page.getByText('You didn’t confirm on Telegram, so nothing was connected.')).toBeVisible()
    expect(page.url()).toBe(`${product.url}/profile`)
  })

  await test.step('connects Telegram', async () => {
    await connectButton(page).click()
    await page.getByRole('link', { name: 'Confirm' }).click()
    await expect(yourClaim(page).getByText(`Connected as ${proof.telegram}.`)).toBeVisible()
    expect(page.url()).toBe(`${product.url}/profile`)
    await expectAccessible(page, 'connected', 'main')
    await expectOutcome('confirmed')
  })

  await test.step('the reviewer reads the outcome, in a card that even a long name does not overflow', async () => {
    const card = await openCard(page, product, who)
    await expect(card.getByText('In the group, as a member.')).toBeVisible()
    await expect(card).toContainText(`is ${proof.telegram}, as claimed.`)
    expect(await card.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
  })

  await test.step('disconnects Telegram', async () => {
    await product.openAs(page, who, '/profile')
    await yourClaim(page).getByRole('button', { name: 'Disconnect' }).click()
    await expect(page.getByText('Telegram is disconnected.')).toBeVisible()
    await expect(connectButton(page)).toBeVisible()
    await expectOutcome('could_not_tell')
  })
})
