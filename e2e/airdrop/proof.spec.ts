import type { Page } from '@playwright/test'
import { submitProof as submitCall } from '#contract/claims/claims.ts'
import type { Proof } from '#contract/claims/proof.ts'
import { logoutAll } from '#contract/accounts/sessions.ts'
import { expectAccessibleOnPhone } from '../checks/axe.ts'
import { expectAccessibleAndFits } from '../checks/fit.ts'
import { keepToasts, logIn } from '../steps/account-steps.ts'
import { continueToProof, fillProof, reachProof, startClaim, submitProof } from '../steps/airdrop-steps.ts'
import { paste, returnToTab } from '../steps/page-steps.ts'
import { changeReplies, hold, recordCalls } from '../support/intercept.ts'
import { newProof } from '../support/people.ts'
import { expect, test } from '../support/product.ts'
import { sessionOf, store, storedValue } from '../support/storage.ts'

const TASKS = /\/api\/v1\/tasks$/

test.use({ hasTouch: true })

const isLabelUncovered = (page: Page, text: string): Promise<boolean> =>
  page
    .locator('label')
    .filter({ hasText: text })
    .evaluate((label) => {
      const { left, top, height } = label.getBoundingClientRect()
      return document.elementFromPoint(left + 5, top + height / 2) === label
    })

test('the proof step requires four fields, and says why a proof is refused', async ({ page, product }) => {
  const other = await product.newClaimant()
  const participant = await product.newParticipant()
  await product.storeSession(page, participant)
  await reachProof(page)
  const field = (label: string) => page.getByLabel(label)

  await test.step('four fields are required, with placeholders as examples', async () => {
    const calls = recordCalls(page)
    // In a low window, the browser has to scroll to the first field.
    await page.setViewportSize({ width: 390, height: 500 })
    for (const [label, name, placeholder] of [
      ['Wallet Address', 'wallet', /EVM-compatible wallet address/],
      ['Telegram', 'telegram', /^@/],
      ['Twitter', 'twitter', /^@/],
      ['Retweet Link', 'retweetLink', /^https:/],
    ] as const) {
      await expect(field(label)).toHaveAttribute('name', name)
      await expect(field(label)).toHaveAttribute('placeholder', placeholder)
      await expect(field(label)).toHaveAttribute('required')
      await submitProof(page)
      await expect(field(label)).toBeFocused()
      await expect.poll(() => isLabelUncovered(page, label), 'the label is not behind the header').toBe(true)
      await field(label).fill('p') // so that the next field is the first without a value
    }
    const link = field('Retweet Link')
    await expect(link).toHaveAttribute('type', 'url')
    await submitProof(page)
    expect(await link.evaluate((input: HTMLInputElement) => input.validity.typeMismatch)).toBe(true)
    expect(calls).toEqual([])
    // Chats put direction marks around a link, and the browser would call it invalid.
    await link.clear()
    await paste(link, '\u2066https://x.com/pip/status/1\u2069')
    await expect(link).toHaveValue('https://x.com/pip/status/1')
  })

  await test.step('each field says what is wrong with its value', async () => {
    await fillProof(page, {
      wallet: '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD',
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
    await expectAccessibleAndFits(page, 'refused proof', 'main')
  })

  await test.step('an error below one handle does not move the other', async () => {
    await page.setViewportSize({ width: 1280, height: 720 })
    await fillProof(page, { ...newProof(), telegram: '@a b' })
    await submitProof(page)
    await expect(field('Twitter')).not.toHaveAttribute('aria-invalid')
    const [refused, beside] = await Promise.all(
      ['Telegram', 'Twitter'].map((label) => field(label).boundingBox()),
    )
    expect(beside?.y).toBe(refused?.y)
  })

  await test.step('another participant’s wallet is refused', async () => {
    await fillProof(page, { ...newProof(), wallet: other.proof.wallet })
    await submitProof(page)
    await expect(page.getByText('This wallet has already been used for a claim.').last()).toBeVisible()
    await expect(field('Telegram')).not.toHaveAttribute('aria-invalid')
    await expect(page).toHaveURL('/airdrop')
  })

  await test.step('a second claim is refused', async () => {
    await fillProof(page, newProof())
    const { token, from } = participant
    const { status } = await product.call(submitCall, { body: newProof(), token, from })
    expect(status).toBe(201)
    await submitProof(page)
    await expect(page.getByText('You have already claimed the airdrop!')).toBeVisible()
    // The first claim may have come from this form, with its answer lost. The profile shows it.
    await expect(page).toHaveURL('/profile')
    await expect(page.getByText(/^(Submitted|Under Review)$/)).toBeVisible()
    expect(await storedValue(page, 'claimDraft')).toBeNull()
  })
})

test('the proof step sends a proof once and leads to the profile', async ({ page, product }) => {
  const participant = await product.newParticipant()
  await product.storeSession(page, participant)
  const prepare = async () => {
    await reachProof(page)
    await fillProof(page, newProof())
    await keepToasts(page)
  }
  await prepare()

  await test.step('nothing is sent without a session', async () => {
    const calls = recordCalls(page)
    await page.evaluate(() => localStorage.removeItem('token'))
    await submitProof(page)
    await expect(page.getByText('You must be logged in to submit a task!')).toBeVisible()
    await expect(page).toHaveURL('/airdrop')
    expect(calls).toEqual([])
    await page.evaluate((token) => localStorage.setItem('token', token), participant.token)
  })

  await test.step('shows the answer’s message, or the screen’s own message if there is none', async () => {
    for (const [answer, message] of [
      [{ status: 502, body: 'Bad Gateway' }, 'Failed to submit task'],
      [{ status: 418, json: { message: 'The teapot says no.', code: 'internal' } }, 'The teapot says no.'],
      [{ status: 201, json: {} }, 'Task submitted successfully!'],
    ] as const) {
      await page.route(TASKS, (route) => route.fulfill(answer), { times: 1 })
      await expect(page).toHaveURL('/airdrop')
      await submitProof(page)
      await expect(page.getByText(message)).toBeVisible()
    }
    await expect(page).toHaveURL('/profile')
  })

  await test.step('shows the server’s message, and sends only one call', async () => {
    await prepare()
    const calls = recordCalls(page)
    await changeReplies(page, TASKS, (reply: object) => ({ ...reply, message: 'Your proof is in.' }))
    const call = await hold(page, TASKS, 'POST')
    await submitProof(page)
    await expect(page.getByRole('button', { name: 'Submit', exact: true })).toBeDisabled()
    await page.getByLabel('Wallet Address').press('Enter')
    call.release()
    await expect(page.getByText('Your proof is in.')).toBeVisible()
    await expect(page).toHaveURL('/profile')
    await expect(page.getByText(/^(Submitted|Under Review)$/)).toBeVisible()
    expect(calls).toEqual(['POST /api/v1/tasks'])
    expect(await storedValue(page, 'claimDraft')).toBeNull()
  })

  await test.step('the airdrop offers no second claim', async () => {
    await page.goto('/airdrop')
    await expect(page.getByRole('heading', { name: 'You’ve claimed your slot' })).toBeVisible()
    await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'Done' })).toHaveCount(3)
    await expect(page.getByRole('button', { name: 'Already Claimed' })).toBeDisabled()
    await expect(page.getByRole('button', { name: 'Claim Now' })).toHaveCount(0)
    await expectAccessibleOnPhone(page, 'already claimed', 'main')
    await page.getByRole('link', { name: 'See your claim' }).click()
    await expect(page).toHaveURL(/\/profile$/)
  })
})

test('one browser keeps a draft for each account', async ({ page, product }) => {
  const [me, newcomer, claimant] = await Promise.all([
    product.newParticipant(),
    product.newParticipant(),
    product.newClaimant(),
  ])
  const draft = newProof()
  const expectMyDraft = async ({ wallet, telegram, twitter, retweetLink }: Proof = draft) => {
    await startClaim(page)
    await continueToProof(page)
    await expect(page.getByLabel('Wallet Address')).toHaveValue(wallet)
    await expect(page.getByLabel('Telegram')).toHaveValue(telegram)
    await expect(page.getByLabel('Twitter')).toHaveValue(twitter)
    await expect(page.getByLabel('Retweet Link')).toHaveValue(retweetLink)
  }
  await product.storeSession(page, me)
  await reachProof(page)
  await fillProof(page, draft)
  await test.step('progress and input are restored after a reload', () => expectMyDraft())

  await test.step('someone else starts from the beginning', async () => {
    await product.storeSession(page, newcomer)
    await startClaim(page)
    await expect(page.locator('button[data-done="true"]')).toHaveCount(0)
  })

  await test.step('another account’s edit has its own draft, and submitting it removes no other draft', async () => {
    const typed = newProof().telegram
    await product.openAs(page, claimant, '/airdrop?step=proof')
    await expect(page.getByLabel('Retweet Link')).toHaveValue(claimant.proof.retweetLink)
    await page.getByLabel('Telegram').fill(typed)
    await page.reload()
    await expect(page.getByLabel('Telegram')).toHaveValue(typed)
    await submitProof(page)
    await expect(page).toHaveURL('/profile')
    await product.storeSession(page, me)
    await expectMyDraft()
  })

  await test.step('a draft that lacks a field keeps its input, even beside a malformed draft', async () => {
    await page.evaluate(() => {
      const drafts = JSON.parse(localStorage.getItem('claimDraft') ?? '{}') as Record<string, object>
      const partial = Object.entries(drafts).map(([id, stored]) => [
        id,
        { ...stored, telegram: undefined, base: {} },
      ])
      localStorage.setItem(
        'claimDraft',
        JSON.stringify({ another: { done: 7 }, ...Object.fromEntries(partial) }),
      )
    })
    await expectMyDraft({ ...draft, telegram: '' })
  })
})

test('input after the end of a session is restored when its account logs in', async ({ page, product }) => {
  const [person, someone] = [await product.newParticipant(), await product.newParticipant()]
  await product.storeSession(page, person)
  await reachProof(page)
  await product.call(logoutAll, { token: person.token })
  await returnToTab(page)
  await expect.poll(() => storedValue(page, 'token')).toBeNull()
  await page.getByLabel('Telegram').fill('@typed_later')
  await logIn(page, person)
  await expect(page).toHaveURL(/\/profile$/)
  await startClaim(page)
  await continueToProof(page)
  await expect(page.getByLabel('Telegram')).toHaveValue('@typed_later')

  await test.step('a login as someone else in another tab replaces the form', async () => {
    const other = await page.context().newPage()
    await store(other, sessionOf(someone))
    await expect(page.getByRole('button', { name: 'Claim Now' })).toBeEnabled()
    await startClaim(page)
    await expect(page.locator('button[data-done="true"]')).toHaveCount(0)
  })
})
