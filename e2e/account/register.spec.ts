import type { Page } from '@playwright/test'
import { expectAccessibleOnPhone } from '../checks/axe.ts'
import { fillRegister, keepToasts } from '../steps/account-steps.ts'
import { paste } from '../steps/page-steps.ts'
import { newPerson, type Person } from '../support/people.ts'
import { expect, test } from '../support/product.ts'
import { storedValue } from '../support/storage.ts'

const createButton = (page: Page) => page.getByRole('button', { name: 'Create Account' })

test('registering sends the invitation’s referral code, and no empty values', async ({ page, product }) => {
  const { user } = await product.newParticipant()
  const codeField = page.getByLabel('Referral Code (optional)')
  const newsBox = page.getByRole('checkbox', { name: /airdrop news/ })
  /** @returns the body of the call. */
  const register = async (person: Person, referralCode: string) => {
    await fillRegister(page, person, referralCode)
    const call = page.waitForRequest('**/users/register')
    await createButton(page).click()
    const sent: unknown = (await call).postDataJSON()
    await expect(page).toHaveURL(/\/verify-email$/)
    return sent
  }

  await test.step('the code survives other pages, even if their links have another ‘ref’', async () => {
    await page.goto(`/?ref=${user.referralCode}`)
    // The code is stored by head.js on a marketing page and by the application on a screen.
    for (const path of ['/roadmap', '/register']) await page.goto(`${path}?ref=newsletter`)
    await expect(codeField).toHaveValue(user.referralCode)
    await expect(page.getByText(`You were invited by ${user.username}.`)).toBeVisible()
  })

  await test.step('after emptying the field, one click registers, although the field’s hint disappears', async () => {
    const person = newPerson()
    expect(await register(person, '')).toEqual(person)
  })

  await test.step('the code is trimmed, and a ticked box subscribes to announcements', async () => {
    const person = newPerson()
    await page.goto(`/register?ref=${user.referralCode}`)
    await expect(newsBox).not.toBeChecked()
    await newsBox.check()
    expect(await register(person, `  ${user.referralCode}  `)).toEqual({
      ...person,
      referralCode: user.referralCode,
      announcements: true,
    })
  })

  await test.step('an empty code, a box that is not ticked and a space after the username are omitted', async () => {
    const person = newPerson()
    await page.goto('/register')
    await expect(codeField, 'kept, since the email may have been mistyped').toHaveValue(user.referralCode)
    // Copied text may be enclosed in invisible direction marks.
    await paste(page.getByLabel('Email'), `\u2066${person.email}\u2069`)
    await expect(page.getByLabel('Email')).toHaveValue(person.email)
    await expect(newsBox).not.toBeChecked()
    expect(await register({ ...person, username: `${person.username} ` }, '   ')).toEqual(person)
  })

  await test.step('an unusual code in the address fills the field, but a mere word does not', async () => {
    await page.evaluate(() => localStorage.removeItem('referral'))
    await page.goto('/register?ref=FRIEND-42')
    await expect(codeField).toHaveValue('FRIEND-42')
    await page.goto('/register?ref=newsletter')
    await expect(codeField).toHaveValue('')
  })
})

test('a refused registration shows why and keeps what was entered, even while a link is open', async ({
  page,
  product,
  context,
}) => {
  await page.goto('/register')
  await expect(page.getByRole('heading', { level: 1, name: 'Create Account' })).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveAttribute('type', 'email')
  await keepToasts(page)

  await test.step('shows what is wrong with each invalid value', async () => {
    await fillRegister(page, { username: 'a!', email: 'a@b', password: 'short' }, 'NOBODY')
    await createButton(page).click()
    await expect(page.getByText('Please check what you entered.')).toBeVisible()
    await expect(page.getByText('Use 3 to 20 letters, digits, dots, dashes or underscores.')).toBeVisible()
    await expect(page.getByText('Use at least 8 characters.')).toBeVisible()
    await expect(page.locator('[aria-invalid="true"]').first()).toBeFocused()
    await expectAccessibleOnPhone(page, 'refused registration')
  })

  await test.step('an unknown referral code', async () => {
    await fillRegister(page, newPerson(), 'NOBODY')
    await createButton(page).click()
    await expect(
      page.getByText('This referral code doesn’t exist. Check it or leave the field empty.').first(),
    ).toBeVisible()
  })

  const person = { ...newPerson(), username: (await product.newParticipant()).username }
  await test.step('a taken username', async () => {
    await fillRegister(page, person, '')
    await createButton(page).click()
    const reason = page.getByText('This username is taken. Please choose another.')
    await expect(reason, 'in the toast and beside the field').toHaveCount(2)
    await expect(page.getByLabel('Username')).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue(person.password)
    await expect(page).toHaveURL(/\/register$/)
    expect(await storedValue(page, 'userEmail')).toBeNull()
  })

  await test.step('rules and privacy open in a new tab', async () => {
    const privacy = page.getByRole('link', { name: 'privacy policy and terms', exact: true })
    await expect(privacy).toHaveAttribute('href', '/privacy')
    await expect(privacy).toHaveAttribute('target', '_blank')
    await page.getByRole('link', { name: 'rules', exact: true }).click()
    // Polls, because the popup event may fire twice for an isolated page.
    await expect
      .poll(() => context.pages().map((tab) => tab.url()))
      .toContainEqual(expect.stringMatching('/rules$'))
    await expect(page.getByLabel('Username')).toHaveValue(person.username)
  })
})
