import type { Page } from '@playwright/test'
import { joinWaitingList } from '#contract/claims/slots.ts'
import { continueToProof, fillProof, reachProof, startClaim, submitProof } from '../steps/airdrop-steps.ts'
import { expectAccessible } from '../checks/axe.ts'
import { reject } from '../steps/dashboard-steps.ts'
import { returnToTab } from '../steps/page-steps.ts'
import { changeReplies, hold, holdAnswer } from '../support/intercept.ts'
import { newProof } from '../support/people.ts'
import { expect, test } from '../support/product.ts'

const claimNow = (page: Page) => page.getByRole('button', { name: 'Claim Now' })
const joinList = (page: Page) => page.getByRole('button', { name: 'Join waiting list' })

const CAMPAIGN_CALL = '**/api/v1/campaign'

test.afterEach(({ product }) => product.resetSlots())

test('the airdrop offers the waiting list when the last slot is taken', async ({ page, product }) => {
  await product.setFreeSlots(1)
  await product.storeSession(page, await product.newParticipant())
  const stream = page.waitForRequest(/\/events\?topics=.*slots/)
  await page.goto('/airdrop')
  await expect(claimNow(page)).toBeEnabled()
  await stream

  const lastClaimant = await test.step('the start step updates when the last slot is taken', async () => {
    const claimant = await product.newClaimant()
    await expect(joinList(page)).toBeVisible()
    await expect(claimNow(page)).toHaveCount(0)
    await expectAccessible(page, 'no slot left', 'main')
    await joinList(page).click()
    await expect(page.getByText('You’re on the waiting list.')).toBeVisible()
    await expect(page.getByText('Number 1 on the waiting list', { exact: true })).toBeVisible()
    await expectAccessible(page, 'on the list', 'main')
    return claimant
  })

  await test.step('leaving gives up the place', async () => {
    const next = await product.newParticipant()
    const { token, from } = next
    await product.callOrFail(joinWaitingList, { token, from })
    await page.getByRole('button', { name: 'Leave the waiting list' }).click()
    await expect(joinList(page)).toBeVisible()
    await product.openAs(page, next, '/profile')
    await expect(page.getByRole('region', { name: 'Your claim' })).toContainText(
      'Number 1 on the waiting list.',
    )
  })

  await test.step('a visitor reads why to register', async () => {
    await page.evaluate(() => localStorage.clear())
    await page.goto('/airdrop')
    await expect(page.getByRole('link', { name: 'Register Now' })).toBeVisible()
    await expect(page.getByText('it goes to the next person on the waiting list.')).toBeVisible()
  })

  await test.step('a rejected claim keeps its slot, so only its participant can claim again', async () => {
    await reject(product, lastClaimant)
    await product.openAs(page, await product.newParticipant(), '/airdrop')
    await expect(joinList(page)).toBeVisible()
    await product.openAs(page, lastClaimant, '/airdrop')
    await expect(page.getByText('We’re keeping a slot for you until')).toBeVisible()
    await startClaim(page)
    await continueToProof(page)
    await expect(page.getByLabel('Retweet Link')).toHaveValue(lastClaimant.proof.retweetLink)
  })
})

test('a form without a slot says so until one is reserved for its participant', async ({ page, product }) => {
  await product.storeSession(page, await product.newParticipant())
  await reachProof(page)
  await product.setFreeSlots(0)
  const proof = newProof()
  await fillProof(page, proof)
  await submitProof(page)
  await expect(page.getByText('All slots are taken.')).toBeVisible()
  await expect(page).toHaveURL('/airdrop')
  await expect(page.getByLabel('Wallet Address')).toHaveValue(proof.wallet)
  await joinList(page).click()
  await expect(page.getByText('There are no slots left.')).toBeVisible()
  await expect(page.getByText('Number 1 on the waiting list', { exact: true })).toBeVisible()

  await product.setFreeSlots(1)
  // Returning to the tab loads the participant's slot again.
  await expect(async () => {
    await returnToTab(page)
    await expect(page.getByText('A slot is reserved for you until')).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 90_000 })
  await expect(page.getByText('There are no slots left.')).toHaveCount(0)
  await expect(joinList(page)).toHaveCount(0)
  await submitProof(page)
  await expect(page).toHaveURL('/profile')
})

test('an outdated answer does not undo a change of slots, but brings new dates', async ({
  page,
  product,
}) => {
  await product.setFreeSlots(50)
  const slots = page.getByText(/^\d+ of [\d,]+$/)
  const stream = page.waitForResponse(/\/events\?topics=.*slots/)
  await page.goto('/airdrop')
  await stream
  await expect(slots).toHaveText(/^50 of/)

  await test.step('the answer does not undo the change', async () => {
    const oldAnswer = await holdAnswer(page, CAMPAIGN_CALL)
    await returnToTab(page)
    await oldAnswer.read
    await product.newClaimant()
    await expect(slots).toHaveText(/^49 of/)

    const ended = Promise.race([
      page.waitForEvent('requestfinished', (request) => request.url().endsWith('/campaign')),
      page.waitForEvent('requestfailed', (request) => request.url().endsWith('/campaign')),
    ])
    oldAnswer.release()
    await ended
    // Lets the page process the answer.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
    // Without retries, during which the next poll could correct the number.
    expect(await slots.textContent()).toMatch(/^49 of/)
    await page.unrouteAll({ behavior: 'wait' })
  })

  await test.step('the answer still brings new dates', async () => {
    const withNewEnd = ({ data }: { data: object }) => ({
      data: { ...data, closesAt: '2099-01-01T12:00:00Z' },
    })
    // Changes one reply only, because the next poll must not bring the date.
    await changeReplies(page, CAMPAIGN_CALL, withNewEnd, { times: 1 })
    const answer = await hold(page, CAMPAIGN_CALL)
    const request = page.waitForRequest(CAMPAIGN_CALL)
    await returnToTab(page)
    await request
    await product.newClaimant()
    await expect(slots).toHaveText(/^48 of/)

    answer.release()
    await expect(page.getByText('Open until')).toContainText('2099')
    await page.unrouteAll({ behavior: 'wait' })
  })
})
