import { submitProof as submitCall } from '#contract/claims/claims.ts'
import campaign from '#server/testing/campaign.ts'
import { logoutAll } from '#contract/accounts/sessions.ts'
import { keepToasts, logIn } from '../steps/account-steps.ts'
import {
  continueToProof,
  fillProof,
  openTasks,
  reachProof,
  startClaim,
  submitProof,
} from '../steps/airdrop-steps.ts'
import { hold } from '../support/held-calls.ts'
import { newProof } from '../support/people.ts'
import { expect, test } from '../support/product.ts'
import { storedValue } from '../support/storage.ts'

const CALL = /\/api\/v1\/tasks$/

test('requires four fields, with placeholders as examples', async ({ page, product }) => {
  await product.storeSession(page, await product.newParticipant())
  await reachProof(page)
  let sent = 0
  page.on('request', (request) => (sent += CALL.test(request.url()) ? 1 : 0))
  for (const [label, name, placeholder] of [
    ['Wallet Address', 'wallet', /EVM-compatible wallet address/],
    ['Telegram', 'telegram', /^@/],
    ['Twitter', 'twitter', /^@/],
    ['Retweet Link', 'retweetLink', /^https:/],
  ] as const) {
    const field = page.getByLabel(label)
    await expect(field).toHaveAttribute('name', name)
    await expect(field).toHaveAttribute('placeholder', placeholder)
    await expect(field).toHaveAttribute('required')
    await submitProof(page)
    await expect(field).toBeFocused()
    await field.fill('p')
  }
  await expect(page.getByLabel('Retweet Link')).toHaveAttribute('type', 'url')
  await submitProof(page)
  expect(
    await page.getByLabel('Retweet Link').evaluate((field: HTMLInputElement) => field.validity.typeMismatch),
  ).toBe(true)
  expect(sent).toBe(0)
})

test('submits a proof once, shows the server’s message and leads to the profile', async ({
  page,
  product,
}) => {
  await product.storeSession(page, await product.newParticipant())
  await reachProof(page)
  await fillProof(page, newProof())
  let sent = 0
  page.on('request', (request) => (sent += CALL.test(request.url()) ? 1 : 0))
  await page.route(CALL, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({
      response: answer,
      json: { ...(await answer.json()), message: 'Your proof is in.' },
    })
  })
  const call = await hold(page, CALL, 'POST')
  await submitProof(page)
  await expect(page.getByRole('button', { name: 'Submit', exact: true })).toBeDisabled()
  await page.getByLabel('Wallet Address').press('Enter')
  call.release()
  await expect(page.getByText('Your proof is in.')).toBeVisible()
  await expect(page).toHaveURL('/profile')
  await expect(page.getByText(/^(Submitted|Under Review)$/)).toBeVisible()
  expect(sent).toBe(1)
  expect(await page.evaluate(() => localStorage.getItem('claimDraft'))).toBeNull()
})

test('shows the server’s message, or the screen’s own without one', async ({ page, product }) => {
  await product.storeSession(page, await product.newParticipant())
  await reachProof(page)
  await fillProof(page, newProof())
  await keepToasts(page)
  for (const [answer, message] of [
    [{ status: 502, body: 'Bad Gateway' }, 'Failed to submit task'],
    [{ status: 418, json: { message: 'The teapot says no.', code: 'internal' } }, 'The teapot says no.'],
    [{ status: 201, json: {} }, 'Task submitted successfully!'],
  ] as const) {
    await page.route(CALL, (route) => route.fulfill(answer), { times: 1 })
    await expect(page).toHaveURL('/airdrop')
    await submitProof(page)
    await expect(page.getByText(message)).toBeVisible()
  }
  await expect(page).toHaveURL('/profile')
})

test('sends nothing without a session', async ({ page, product }) => {
  await product.storeSession(page, await product.newParticipant())
  await reachProof(page)
  await fillProof(page, newProof())
  let sent = 0
  page.on('request', (request) => (sent += CALL.test(request.url()) ? 1 : 0))
  await page.evaluate(() => localStorage.removeItem('token'))
  await submitProof(page)
  await expect(page.getByText('You must be logged in to submit a task!')).toBeVisible()
  await expect(page).toHaveURL('/airdrop')
  expect(sent).toBe(0)
})

test('shows why a second claim is refused', async ({ page, product }) => {
  const participant = await product.newParticipant()
  await product.storeSession(page, participant)
  await reachProof(page)
  const proof = newProof()
  await fillProof(page, proof)
  const { status } = await product.call(submitCall, {
    body: newProof(),
    token: participant.token,
    from: participant.from,
  })
  expect(status).toBe(201)
  await submitProof(page)
  await expect(page.getByText('You have already claimed the airdrop!')).toBeVisible()
  await expect(page).toHaveURL('/airdrop')
})

test('shows invalid values beside their fields and duplicates in a toast', async ({ page, product }) => {
  const other = await product.newClaimant()
  await product.storeSession(page, await product.newParticipant())
  await reachProof(page)
  const field = (label: string) => page.getByLabel(label)

  await test.step('a wrong value beside each field', async () => {
    await fillProof(page, {
      wallet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'.replace('5aA', '5AA'),
      telegram: '@a b',
      twitter: '@too_long_a_handle_for_x',
      retweetLink: 'https://x.com.evil.example/pip/status/1',
    })
    await submitProof(page)
    await expect(page.getByText('Please check what you entered.')).toBeVisible()
    for (const [label, reason] of [
      [
        'Wallet Address',
        'This address seems to have a typo: its checksum doesn’t match. Copy it again from your wallet.',
      ],
      ['Telegram', 'Enter a Telegram handle of 4 to 32 letters, digits or underscores, like @name.'],
      ['Twitter', 'Enter an X handle of 1 to 15 letters, digits or underscores, like @name.'],
      ['Retweet Link', 'Enter the link to your post, like https://x.com/name/status/123.'],
    ] as const) {
      await expect(field(label)).toHaveAttribute('aria-invalid', 'true')
      await expect(field(label)).toHaveAccessibleDescription(new RegExp(reason.replaceAll('.', '\\.')))
    }
    await expect(field('Wallet Address')).toBeFocused()
    await expect(field('Twitter')).toHaveValue('@too_long_a_handle_for_x')
  })

  await test.step('the token’s own address', async () => {
    await fillProof(page, { ...newProof(), wallet: campaign.token.contract })
    await submitProof(page)
    await expect(field('Wallet Address')).toHaveAccessibleDescription(/token’s own address/)
    await expect(field('Telegram')).not.toHaveAttribute('aria-invalid')
  })

  await test.step('another participant’s wallet, handle and post', async () => {
    const { wallet, telegram, twitter, retweetLink } = other.proof
    for (const [taken, words] of [
      [{ wallet }, 'This wallet has already been used for a claim.'],
      [{ telegram }, 'This handle has already been used for a claim.'],
      [{ twitter, retweetLink }, 'This handle has already been used for a claim.'],
    ] as const) {
      await fillProof(page, { ...newProof(), ...taken })
      await submitProof(page)
      await expect(page.getByText(words).last()).toBeVisible()
      await expect(page).toHaveURL('/airdrop')
    }
  })
})

test('restores progress and input after a reload, only for the same account', async ({ page, product }) => {
  const [mine, other] = await Promise.all([product.newParticipant(), product.newParticipant()])
  await product.storeSession(page, mine)
  await startClaim(page)
  await openTasks(page)
  await continueToProof(page)
  const proof = newProof()
  await fillProof(page, proof)
  await page.goto('/airdrop')
  await page.getByRole('button', { name: 'Claim Now' }).click()
  await page.getByRole('button', { name: 'All Tasks Done — Continue' }).click()
  await expect(page.getByLabel('Wallet Address')).toHaveValue(proof.wallet)
  await expect(page.getByLabel('Retweet Link')).toHaveValue(proof.retweetLink)

  await product.storeSession(page, other)
  await page.goto('/airdrop')
  await page.getByRole('button', { name: 'Claim Now' }).click()
  await expect(page.locator('button[data-done="true"]')).toHaveCount(0)
})

test('a malformed draft of another account does not discard the own one', async ({ page, product }) => {
  await product.storeSession(page, await product.newParticipant())
  await reachProof(page)
  const { wallet } = newProof()
  await page.getByLabel('Wallet Address').fill(wallet)
  await page.evaluate(() => {
    const drafts = JSON.parse(localStorage.getItem('claimDraft') ?? '') as object
    localStorage.setItem('claimDraft', JSON.stringify({ another: { done: 7 }, ...drafts }))
  })
  await page.goto('/airdrop')
  await page.getByRole('button', { name: 'Claim Now' }).click()
  await page.getByRole('button', { name: 'All Tasks Done — Continue' }).click()
  await expect(page.getByLabel('Wallet Address')).toHaveValue(wallet)
})

test('a login as someone else in another tab replaces the form of the first account', async ({
  page,
  product,
}) => {
  await product.storeSession(page, await product.newParticipant())
  await reachProof(page)
  await page.getByLabel('Wallet Address').fill(newProof().wallet)
  const other = await page.context().newPage()
  await logIn(other, await product.newParticipant())
  await expect(other).toHaveURL(/\/profile$/)
  await expect(page.getByRole('button', { name: 'Claim Now' })).toBeEnabled()
  await startClaim(page)
  await expect(page.locator('button[data-done="true"]')).toHaveCount(0)
})

test('keeps what is typed after the session has ended for the next login', async ({ page, product }) => {
  const person = await product.newParticipant()
  await product.storeSession(page, person)
  await reachProof(page)
  await product.call(logoutAll, { token: person.token })
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
  await expect.poll(() => storedValue(page, 'token')).toBeNull()
  await page.getByLabel('Telegram').fill('@typed_later')
  await logIn(page, person)
  await expect(page).toHaveURL(/\/profile$/)
  await startClaim(page)
  await continueToProof(page)
  await expect(page.getByLabel('Telegram')).toHaveValue('@typed_later')
})
