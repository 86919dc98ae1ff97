import { Secret, TOTP } from 'otpauth'
import { expectAccessibleEverywhere } from '../checks/axe.ts'
import { submitLogin } from '../steps/account-steps.ts'
import { hold } from '../support/intercept.ts'
import { expect, test } from '../support/product.ts'

const DIALOG = 'dialog[open]'

test('an administrator sets up two-factor login, logs in with a code and with a recovery code, gets new recovery codes, and turns it off', async ({
  page,
  product,
}) => {
  const admin = await product.anotherAdmin()
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
  const confirmSaved = codes.getByRole('button', { name: 'I’ve saved them' })
  await product.storeSession(page, admin)
  await page.goto('/dashboard/security')
  await expect(page.getByText('Off', { exact: true })).toBeVisible()
  await expect(page.getByText('This session')).toBeVisible()

  await page.getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password').fill(admin.password)
  await dialog.getByRole('button', { name: 'Next' }).click()
  await expect(dialog.getByRole('img', { name: 'QR code of the secret' })).toBeVisible()
  await expectAccessibleEverywhere(page, 'the secret', DIALOG)
  const secret = (await dialog.getByRole('code').innerText()).replace(/\s/g, '')
  const totp = new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30 })
  await dialog.getByRole('textbox', { name: 'Code' }).fill(totp.generate())
  const confirmation = await hold(page, '**/two-factor/confirm', 'POST')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  confirmation.release()
  await expect(codes.getByRole('listitem'), 'shown although the dialog was closed').toHaveCount(10)
  await expectAccessibleEverywhere(page, 'recovery codes', DIALOG)
  const readAgain = page.waitForResponse('**/users/two-factor')
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
  await (await readAgain).finished()
  await expect(page.getByText('You have 10 recovery codes left.')).toBeAttached()
  await expect(codes.getByRole('listitem'), 'shown although the state was read again').toHaveCount(10)
  const recoveryCode = await codes.getByRole('listitem').first().innerText()
  const otherRecoveryCode = await codes.getByRole('listitem').last().innerText()
  await confirmSaved.click()
  await expect(page.getByText('You have 10 recovery codes left.')).toBeVisible()

  const enter = async (code: string) => {
    await page.getByLabel('Code').fill(code)
    await page.getByRole('button', { name: 'Log in' }).click()
  }
  await page.evaluate(() => localStorage.clear())
  await page.goto('/login')
  await submitLogin(page, admin)
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
  await expect(page.getByLabel('Code')).toBeFocused()
  await page.getByRole('button', { name: 'Back to Login' }).click()
  await expect(page.getByLabel('Email')).toHaveValue(admin.email)
  await expect(page.getByLabel('Email')).not.toHaveAttribute('aria-invalid')
  await submitLogin(page, admin)
  await enter('aaaaa-aaaaa')
  await expect(page.getByText('This code is wrong or was already used.').first()).toBeVisible()
  // Of the next time step: the code that turned two-factor login on cannot be used again.
  await enter(totp.generate({ timestamp: Date.now() + 30_000 }))
  await expect(page).toHaveURL('/dashboard')

  await page.evaluate(() => localStorage.clear())
  await page.goto('/login')
  await submitLogin(page, admin)
  await enter(recoveryCode)
  await expect(page).toHaveURL('/dashboard')

  await page.goto('/dashboard/security')
  await page.getByRole('button', { name: 'End all others' }).click()
  await expect(page.getByRole('button', { name: /^End/ })).toHaveCount(0)
  await expect(page.getByText('You have 9 recovery codes left.')).toBeVisible()
  await page.getByRole('button', { name: 'Get new recovery codes' }).click()
  const renewal = page.getByRole('dialog', { name: 'Get new recovery codes?' })
  await expectAccessibleEverywhere(page, 'new recovery codes', DIALOG)
  await renewal.getByLabel('Code or recovery code').fill(otherRecoveryCode)
  await renewal.getByRole('button', { name: 'Get new codes' }).click()
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  await expect(codes.getByText(otherRecoveryCode)).toHaveCount(0)
  const renewed = await codes.getByRole('listitem').last().innerText()
  await confirmSaved.click()
  await expect(page.getByText('You have 10 recovery codes left.')).toBeVisible()
  await page.getByRole('button', { name: 'Turn off' }).click()
  const off = page.getByRole('dialog', { name: 'Turn two-factor login off?' })
  await expectAccessibleEverywhere(page, 'turning it off', DIALOG)
  await off.getByLabel('Your password').fill(admin.password)
  await off.getByLabel('Code or recovery code').fill(renewed)
  await off.getByRole('button', { name: 'Turn off' }).click()
  await expect(page.getByText('Off', { exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Two-factor login' })).toBeFocused()
})
