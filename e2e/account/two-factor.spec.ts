import { Secret, TOTP } from 'otpauth'
import { expectAccessibleOnPhone } from '../checks/axe.ts'
import { submitLogin } from '../steps/account-steps.ts'
import { returnToTab } from '../steps/page-steps.ts'
import { hold } from '../support/intercept.ts'
import { expect, test } from '../support/product.ts'

const OPEN_DIALOG = 'dialog[open]'

test('an administrator sets up two-factor login, uses it and turns it off', async ({ page, product }) => {
  const admin = await product.anotherAdmin()
  const codesDialog = page.getByRole('dialog', { name: 'Your recovery codes' })
  const recoveryCodes = codesDialog.getByRole('listitem')
  const confirmSaved = codesDialog.getByRole('button', { name: 'I’ve saved them' })
  const offLabel = page.getByText('Off', { exact: true })
  const startLogin = async () => {
    await page.evaluate(() => localStorage.clear())
    await page.goto('/login')
    await submitLogin(page, admin)
  }
  const enterCode = async (code: string) => {
    await page.getByLabel('Code').fill(code)
    await page.getByRole('button', { name: 'Log in' }).click()
  }

  await product.openAs(page, admin, '/dashboard/security')
  await expect(offLabel).toBeVisible()
  await expect(page.getByText('This session')).toBeVisible()

  const totp = await test.step('sets up an authenticator', async () => {
    await page.getByRole('button', { name: 'Set up' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Your password').fill(admin.password)
    await dialog.getByRole('button', { name: 'Next' }).click()
    await expect(dialog.getByRole('img', { name: 'QR code of the secret' })).toBeVisible()
    await expectAccessibleOnPhone(page, 'the secret', OPEN_DIALOG)
    const secret = (await dialog.getByRole('code').innerText()).replace(/\s/g, '')
    const authenticator = new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30 })
    await dialog.getByRole('textbox', { name: 'Code' }).fill(authenticator.generate())
    const confirmation = await hold(page, '**/two-factor/confirm', 'POST')
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    confirmation.release()
    return authenticator
  })

  const [recoveryCode = '', spareRecoveryCode = ''] =
    await test.step('shows the recovery codes, although the dialog was closed and the state is loaded again', async () => {
      await expect(recoveryCodes).toHaveCount(10)
      await expectAccessibleOnPhone(page, 'recovery codes', OPEN_DIALOG)
      const stateReply = page.waitForResponse('**/users/two-factor')
      await returnToTab(page)
      await (await stateReply).finished()
      await expect(page.getByText('You have 10 recovery codes left.')).toBeAttached()
      await expect(recoveryCodes).toHaveCount(10)
      const texts = await recoveryCodes.allInnerTexts()
      await confirmSaved.click()
      await expect(page.getByText('You have 10 recovery codes left.')).toBeVisible()
      return texts
    })

  await test.step('can go back from the code to the password', async () => {
    await startLogin()
    await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
    await expect(page.getByLabel('Code')).toBeFocused()
    await page.getByRole('button', { name: 'Back to Login' }).click()
    await expect(page.getByLabel('Email')).toHaveValue(admin.email)
    await expect(page.getByLabel('Email')).not.toHaveAttribute('aria-invalid')
    await submitLogin(page, admin)
  })

  await test.step('logs in with a code from the authenticator, after a wrong code', async () => {
    await enterCode('aaaaa-aaaaa')
    await expect(page.getByText('This code is wrong or was already used.').first()).toBeVisible()
    // The code of the next time step: the current one has turned two-factor login on, and is used up.
    await enterCode(totp.generate({ timestamp: Date.now() + 30_000 }))
    await expect(page).toHaveURL('/dashboard')
  })

  await test.step('logs in with a recovery code, which is then used up', async () => {
    await startLogin()
    await enterCode(recoveryCode)
    await expect(page).toHaveURL('/dashboard')
    await page.goto('/dashboard/security')
    // Ends the sessions of the earlier logins, so that this is the only one from here on.
    await page.getByRole('button', { name: 'End all others' }).click()
    await expect(page.getByRole('button', { name: /^End/ })).toHaveCount(0)
    await expect(page.getByText('You have 9 recovery codes left.')).toBeVisible()
  })

  const newRecoveryCode = await test.step('gets new recovery codes by entering an unused code', async () => {
    await page.getByRole('button', { name: 'Get new recovery codes' }).click()
    const dialog = page.getByRole('dialog', { name: 'Get new recovery codes?' })
    await expectAccessibleOnPhone(page, 'new recovery codes', OPEN_DIALOG)
    await dialog.getByLabel('Code or recovery code').fill(spareRecoveryCode)
    await dialog.getByRole('button', { name: 'Get new codes' }).click()
    await expect(recoveryCodes).toHaveCount(10)
    await expect(codesDialog.getByText(spareRecoveryCode)).toHaveCount(0)
    const text = await recoveryCodes.last().innerText()
    await confirmSaved.click()
    await expect(page.getByText('You have 10 recovery codes left.')).toBeVisible()
    return text
  })

  await test.step('turns two-factor login off', async () => {
    await page.getByRole('button', { name: 'Turn off' }).click()
    const dialog = page.getByRole('dialog', { name: 'Turn two-factor login off?' })
    await expectAccessibleOnPhone(page, 'turning it off', OPEN_DIALOG)
    await dialog.getByLabel('Your password').fill(admin.password)
    await dialog.getByLabel('Code or recovery code').fill(newRecoveryCode)
    await dialog.getByRole('button', { name: 'Turn off' }).click()
    await expect(offLabel).toBeVisible()
    await expect(page.getByRole('region', { name: 'Two-factor login' })).toBeFocused()
  })
})
