import type { Browser, Page } from '@playwright/test'
import { profile } from '#contract/accounts/accounts.ts'
import { expectAccessibleEverywhere } from '../checks/axe.ts'
import { keepToasts, logIn, toast } from '../steps/account-steps.ts'
import { newAddress, type Participant } from '../support/people.ts'
import { expect, type Product, test } from '../support/product.ts'
import { storedValues, store } from '../support/storage.ts'

const NEW_PASSWORD = 'lantern gravel forty-two'

/** Opens the same account's profile in another browser. */
async function elsewhere(browser: Browser, product: Product, who: Participant): Promise<Page> {
  const extraHTTPHeaders = { 'x-forwarded-for': newAddress() }
  const page = await browser.newPage({ baseURL: product.url, extraHTTPHeaders })
  await product.storeSession(page, await product.logInAgain(who))
  await page.goto('/profile')
  await expect(page.getByText(who.username, { exact: true })).toBeVisible()
  return page
}

/** Expects that a reload leads to the login and that the stored session is cleared. */
async function expectLoggedOut(page: Page): Promise<void> {
  await page.reload()
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome Back' })).toBeVisible()
  expect(await storedValues(page)).toEqual({})
  await page.close()
}

test('changing the password ends all other sessions, which the profile no longer lists', async ({
  page,
  browser,
  product,
}) => {
  const who = await product.newParticipant()
  const other = await elsewhere(browser, product, who)
  await product.storeSession(page, who)
  await page.goto('/profile')
  const sessions = page.getByRole('region', { name: 'Where you are logged in' })
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  await dialog.getByLabel('Current Password').fill('not the password')
  await dialog.getByLabel('New Password').fill(NEW_PASSWORD)
  await keepToasts(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Your current password is wrong.')).toBeVisible()
  await expect(dialog.getByLabel('Current Password')).toHaveAccessibleDescription(
    'Your current password is wrong.',
  )
  await dialog.getByLabel('Current Password').fill(who.password)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Password changed successfully!')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  await expectLoggedOut(other)
  await page.reload()
  await expect(page.getByText(who.username, { exact: true })).toBeVisible()
})

test('a participant sees where they are logged in, and ends one session or all others', async ({
  page,
  product,
}) => {
  const who = await product.newParticipant()
  // The screen of an ended session is the subject of the test above.
  const others = [await product.logInAgain(who), await product.logInAgain(who)]
  await product.storeSession(page, who)
  await page.goto('/profile')
  const sessions = page.getByRole('region', { name: 'Where you are logged in' })
  await expect(sessions.getByRole('listitem')).toHaveCount(3)
  await expect(sessions.getByText('This session')).toHaveCount(1)
  await expectAccessibleEverywhere(page, 'the sessions of a participant')
  await sessions
    .getByRole('button', { name: /^End the session of/ })
    .first()
    .click()
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  await sessions.getByRole('button', { name: 'End all others' }).click()
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  await expect(sessions.getByRole('button')).toHaveCount(0)
  for (const { token } of others) expect((await product.call(profile, { token })).status).toBe(401)
  await page.reload()
  await expect(page.getByText(who.username, { exact: true })).toBeVisible()
})

test('‘Log out everywhere’ ends all sessions', async ({ page, product }) => {
  const who = await product.newParticipant()
  const other = await product.logInAgain(who)
  await product.storeSession(page, who)
  await page.goto('/profile')
  await keepToasts(page)
  await page.getByRole('button', { name: 'Log out everywhere' }).click()
  await expect(toast(page, 'Logged out successfully!')).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
  expect(await storedValues(page)).toEqual({})
  for (const { token } of [who, other]) expect((await product.call(profile, { token })).status).toBe(401)
})

test('an ended session leads to the login at the next call', async ({ page, product }) => {
  const who = await product.newParticipant()
  await store(page, { token: 'x'.repeat(43), user: JSON.stringify(who.user), theme: 'dark' })
  await page.goto('/profile')
  await expect(toast(page, 'Please log in.')).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
  expect(await storedValues(page)).toEqual({ theme: 'dark' })
  await logIn(page, who)
  await expect(page).toHaveURL(/\/profile$/)
})
