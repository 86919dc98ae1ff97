import type { Page } from '@playwright/test'
import { profile } from '#contract/accounts/accounts.ts'
import { logoutAll } from '#contract/accounts/sessions.ts'
import { expectAccessibleOnPhone } from '../checks/axe.ts'
import { keepToasts, submitLogin, toast } from '../steps/account-steps.ts'
import { sectionLink } from '../steps/dashboard-steps.ts'
import { hold, loseAnswer } from '../support/intercept.ts'
import type { Participant } from '../support/people.ts'
import { expect, type Product, test } from '../support/product.ts'
import { bindingCookie, storedValue, storedValues } from '../support/storage.ts'

const NEW_PASSWORD = 'lantern gravel forty-two'

/** Ends the page's session, and all others of its account, on the server only. */
async function endSession(page: Page, product: Product): Promise<void> {
  const token = (await storedValue(page, 'token')) ?? ''
  // A session that began in a browser counts only together with its cookie.
  await product.callOrFail(logoutAll, { token, cookie: await bindingCookie(page) })
}

test('a participant ends one session, all other sessions, or all sessions', async ({ page, product }) => {
  const who = await product.newParticipant()
  const withNewPassword = { ...who, password: NEW_PASSWORD }
  const otherSessions: Participant[] = []
  for (let index = 0; index < 3; index += 1) otherSessions.push(await product.logInAgain(who))
  await product.openAs(page, who, '/profile')
  await keepToasts(page)
  const sessions = page.getByRole('region', { name: 'Where you are logged in' })

  await test.step('one session', async () => {
    await expect(sessions.getByRole('listitem')).toHaveCount(4)
    await expect(sessions.getByText('This session')).toHaveCount(1)
    await expectAccessibleOnPhone(page, 'several sessions', 'section:has(li)')
    await sessions
      .getByRole('button', { name: /^End the session of/ })
      .first()
      .click()
    await expect(sessions.getByRole('listitem')).toHaveCount(3)
  })

  const button = page.getByRole('button', { name: 'Change password' })
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  const changePassword = async (password: string) => {
    await button.click()
    await dialog.getByLabel('Current Password').fill(password)
    await dialog.getByLabel('New Password').fill(NEW_PASSWORD)
    await dialog.getByRole('button', { name: 'Save' }).click()
  }

  await test.step('a wrong password ends no session', async () => {
    await changePassword('not the password')
    await expect(toast(page, 'Your current password is wrong.')).toBeVisible()
    await expect(dialog.getByLabel('Current Password')).toHaveAccessibleDescription(
      'Your current password is wrong.',
    )
    await expectAccessibleOnPhone(page, 'refused dialog', 'dialog[open], [aria-label="Notices"]')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(button).toBeFocused()
  })

  await test.step('all other sessions, by changing the password, even if the answer is lost', async () => {
    await loseAnswer(page, '**/users/change-password')
    await changePassword(who.password)
    await expect(toast(page, 'Failed to change password')).toBeVisible()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(
      toast(page, 'Your password may be changed already. Try the new one as your current password.'),
    ).toBeVisible()
    await page.keyboard.press('Escape')
    await changePassword(NEW_PASSWORD)
    await expect(toast(page, 'Password changed successfully!')).toBeVisible()
    await expect(dialog).toBeHidden()
    await expect(sessions.getByRole('listitem')).toHaveCount(1)
    await expect(sessions.getByRole('button')).toHaveCount(0)
  })

  await test.step('all other sessions, by the button', async () => {
    for (let index = 0; index < 2; index += 1) otherSessions.push(await product.logInAgain(withNewPassword))
    await page.reload()
    await expect(sessions.getByRole('listitem')).toHaveCount(3)
    await sessions.getByRole('button', { name: 'End all others' }).click()
    await expect(sessions.getByRole('listitem')).toHaveCount(1)
    await expect(sessions.getByRole('button')).toHaveCount(0)
    for (const { token } of otherSessions) expect((await product.call(profile, { token })).status).toBe(401)
  })

  await test.step('all sessions, by logging out everywhere', async () => {
    const other = await product.logInAgain(withNewPassword)
    await keepToasts(page)
    await page.getByRole('button', { name: 'Log out everywhere' }).click()
    await expect(toast(page, 'Logged out successfully!')).toBeVisible()
    await expect(page).toHaveURL(/\/login$/)
    expect(await storedValues(page)).toEqual({})
    for (const { token } of [who, other]) expect((await product.call(profile, { token })).status).toBe(401)
  })
})

test('an ended session leads to the login at its next call', async ({ page, product }) => {
  const who = await product.newParticipant()
  await product.storeSession(page, who)
  await page.evaluate(() => localStorage.setItem('theme', 'dark'))
  await product.call(logoutAll, { token: who.token })
  await page.goto('/profile')
  await expect(toast(page, 'Please log in.')).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome Back' })).toBeVisible()
  expect(await storedValues(page)).toEqual({ theme: 'dark' })
  await submitLogin(page, who)
  await expect(page).toHaveURL(/\/profile$/)

  await test.step('a refusal that arrives after the next login does not end the new session', async () => {
    // Leaves the profile, whose first call may still be running, for a page without calls.
    await page.goto('/robots.txt')
    const call = await hold(page, '**/users/profile')
    const sent = page.waitForRequest('**/users/profile')
    await page.goto('/profile')
    const request = await sent
    await endSession(page, product)
    // Stores a new session, like a login in another tab.
    const next = await product.logInAgain(who)
    await page.evaluate((stored) => localStorage.setItem('token', stored), next.token)
    call.release()
    expect((await request.response())?.status()).toBe(401)
    // The refusal leads to the login, but the new session is still stored.
    await expect(page).toHaveURL(/\/login$/)
    expect(await storedValue(page, 'token')).toBe(next.token)
  })
})

test('an ended session loses no draft or color, and a download leads to login', async ({ page, product }) => {
  const admin = await product.anotherAdmin()
  const subject = page.getByLabel('Subject')
  const accent = page.getByLabel('Accent, light', { exact: true })
  await product.openAs(page, admin, '/dashboard/look')
  await accent.fill('#a02020')
  await sectionLink(page, 'Mail').click()
  await page.getByRole('button', { name: 'Announcements' }).click()
  await page.getByRole('button', { name: 'Write an announcement' }).click()
  await subject.fill('Half written')
  await page.getByLabel('Text', { exact: true }).fill('More soon.')
  // Begins to save while the session lasts. Later, the preview or a poll might lead to the login first.
  const saving = await hold(page, '**/api/v1/announcements', 'POST')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await endSession(page, product)
  saving.release()
  await expect(page).toHaveURL('/login')

  await submitLogin(page, admin)
  await sectionLink(page, 'Look').click()
  await expect(accent).toHaveValue('#a02020')
  await sectionLink(page, 'Mail').click()
  await page.getByRole('button', { name: 'Announcements' }).click()
  await expect(subject).toHaveValue('Half written')
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(subject).toHaveCount(0)

  await sectionLink(page, 'People').click()
  await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
  await endSession(page, product)
  await page.getByRole('button', { name: 'All participants (CSV)' }).click()
  await expect(page).toHaveURL('/login')
})

test('input in the dashboard’s dialogs survives the end of the session', async ({ page, product }) => {
  const admin = await product.anotherAdmin()
  const { user } = await product.newClaimant()
  const dialog = page.getByRole('dialog')
  const notice = page.getByLabel('Notice', { exact: true })
  const until = page.getByLabel('Expected to resume at')
  const endSessionAnd = async (send: () => Promise<void>) => {
    await endSession(page, product)
    await send()
    await expect(page).toHaveURL('/login')
    await submitLogin(page, admin)
  }
  const ban = page.getByRole('button', { name: 'Ban', exact: true })
  // Navigates by links, because loading another document would lose the unsaved input.
  const search = async (section: string) => {
    await sectionLink(page, section).click()
    await page.getByRole('searchbox').fill(user.username)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
  }
  const openBan = async () => {
    await search('People')
    await page.getByRole('link', { name: user.username }).click()
    await ban.click()
  }
  const openRejection = async () => {
    await search('Claims')
    await expect(page).toHaveURL(/search=/)
    await page.getByRole('row').filter({ hasText: user.username }).focus()
    await page.keyboard.press('r') // the shortcut that rejects
    await expect(dialog).toBeVisible()
  }
  await product.openAs(page, admin, '/dashboard')

  await test.step('the reason for a ban, until its dialog is closed', async () => {
    await openBan()
    await dialog.getByLabel('Reason').fill('One wallet, five accounts.')
    await endSessionAnd(() => dialog.getByRole('button', { name: 'Ban', exact: true }).click())
    await openBan()
    await expect(dialog.getByLabel('Reason')).toHaveValue('One wallet, five accounts.')
    await page.keyboard.press('Escape')
    await ban.click()
    await expect(dialog.getByLabel('Reason')).toHaveValue('')
    await page.keyboard.press('Escape')
  })

  await test.step('the notice of a pause, and its expected end', async () => {
    await sectionLink(page, 'Campaign').click()
    await notice.fill('X is down.')
    await until.fill('2099-01-31T12:00')
    await endSessionAnd(() => page.getByRole('button', { name: 'Pause the campaign' }).click())
    await sectionLink(page, 'Campaign').click()
    await expect(notice).toHaveValue('X is down.')
    await expect(until).toHaveValue('2099-01-31T12:00')
  })

  await test.step('the reason and the text of a rejection', async () => {
    await openRejection()
    await dialog.getByLabel('Reason').selectOption('post_incomplete')
    await dialog.getByLabel('What the participant reads').fill('The hashtag is missing.')
    await endSessionAnd(() => dialog.getByRole('button', { name: 'Reject', exact: true }).click())
    await openRejection()
    await expect(dialog.getByLabel('Reason')).toHaveValue('post_incomplete')
    await expect(dialog.getByLabel('What the participant reads')).toHaveValue('The hashtag is missing.')
  })
})
