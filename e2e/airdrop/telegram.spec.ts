import type { Page } from '@playwright/test'
import { ownClaim } from '#contract/claims/claims.ts'
import { fillProof, reachProof, submitProof } from '../steps/airdrop-steps.ts'
import { expectAccessible } from '../checks/axe.ts'
import { evidenceOf } from '../steps/dashboard-steps.ts'
import { callOrFail } from '../support/caller.ts'
import { newProof } from '../support/people.ts'
import { expect, test } from '../support/product.ts'

const yours = (page: Page) => page.getByRole('region', { name: 'Your claim' })

test('connecting Telegram confirms membership and handle for the reviewer', async ({ page, product }) => {
  const [who, admin] = [await product.newParticipant(), await product.admin()]
  const evidence = () => evidenceOf(product, who)
  const proof = newProof()
  product.services.telegram.is({ id: 700_100_200, username: proof.telegram.slice(1) })
  await product.storeSession(page, who)
  await reachProof(page)
  await expect(page.getByText('unless you connect Telegram')).toBeVisible()
  await fillProof(page, proof)
  await submitProof(page)
  await yours(page).getByRole('button', { name: 'Connect Telegram' }).click()
  await page.getByRole('link', { name: 'Confirm' }).click()
  await expect(yours(page).getByText(`Connected as ${proof.telegram}.`)).toBeVisible()
  expect(page.url()).toBe(`${product.url}/profile`)
  await expectAccessible(page, 'connected', 'main')
  await expect.poll(evidence).toMatchObject({ telegram: 'confirmed', 'telegram-handle': 'confirmed' })

  await product.storeSession(page, admin)
  await page.goto(`/dashboard?view=waiting&search=${proof.wallet}`)
  await page.getByRole('button', { name: who.username, exact: true }).click()
  const card = page.getByRole('complementary', { name: 'Evidence' })
  await expect(card.getByText('In the group, as a member.')).toBeVisible()
  await expect(card).toContainText(`is ${proof.telegram}, as claimed.`)
  // Even the longest name does not overflow the card.
  expect(await card.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)

  await product.storeSession(page, who)
  await page.goto('/profile')
  await yours(page).getByRole('button', { name: 'Disconnect' }).click()
  await expect(page.getByText('Telegram is disconnected.')).toBeVisible()
  await expect(yours(page).getByRole('button', { name: 'Connect Telegram' })).toBeVisible()
  await expect
    .poll(evidence)
    .toMatchObject({ telegram: 'could_not_tell', 'telegram-handle': 'could_not_tell' })
})

test('connects nothing after a denial, or with a connection started by another account', async ({
  page,
  product,
}) => {
  const [ann, ben] = [await product.newClaimant(), await product.newClaimant()]
  await product.storeSession(page, ann)
  await page.goto('/profile')
  await yours(page).getByRole('button', { name: 'Connect Telegram' }).click()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(page.getByText('You didn’t confirm on Telegram, so nothing was connected.')).toBeVisible()
  expect(page.url()).toBe(`${product.url}/profile`)

  // An attacker makes the victim's browser open the callback of the attacker's connection.
  await yours(page).getByRole('button', { name: 'Connect Telegram' }).click()
  const confirm = await page.getByRole('link', { name: 'Confirm' }).getAttribute('href')
  const response = await fetch(confirm ?? '', { redirect: 'manual' })
  await product.storeSession(page, ben)
  await page.goto(response.headers.get('location') ?? '')
  await expect(page.getByText('Connecting took too long or was started elsewhere.')).toBeVisible()
  expect(page.url()).toBe(`${product.url}/profile`)
  await expect(yours(page).getByRole('button', { name: 'Connect Telegram' })).toBeEnabled()
  const { data } = await callOrFail(product.url, ownClaim, { token: ben.token })
  expect(data.telegram).toEqual({ account: null })
})
