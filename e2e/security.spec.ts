import { register } from '#contract/accounts/accounts.ts'
import { expectAccessibleOnPhone } from './checks/axe.ts'
import { submitLogin } from './steps/account-steps.ts'
import { newAddress, newPerson } from './support/people.ts'
import { expect, test } from './support/product.ts'
import { store } from './support/storage.ts'
import { waitUntilRendered } from './support/wait-until.ts'

const MARKUP = '<img src=x onerror="document.title=1"><script>document.title=2</script>'

test('shows markup from storage, the address and an account as text', async ({ page, product }) => {
  const injected = page.locator('main img, main script')

  await test.step('in the address', async () => {
    await page.goto(`/leaderboard?page=${encodeURIComponent(MARKUP)}`)
    await waitUntilRendered(page)
    await expect(injected).toHaveCount(0)
    await page.goto(`/register?ref=${encodeURIComponent(MARKUP)}`)
    await waitUntilRendered(page)
    await expect(injected).toHaveCount(0)
    const response = await page.goto(`/${encodeURIComponent(MARKUP)}`)
    expect(response?.status()).toBe(404)
    await expect(injected).toHaveCount(0)
    await expectAccessibleOnPhone(page, 'not found', 'main')
  })

  await test.step('in an email address, whatever its punctuation', async () => {
    const person = { ...newPerson(), email: `'&{}\`$#!?*=/|~^+-_@${Date.now()}.mail.example` }
    const { status } = await product.call(register, { body: person, from: newAddress() })
    expect(status).toBe(201)
    await page.goto('/login')
    await submitLogin(page, person)
    await expect(page).toHaveURL('/verify-email')
    await expect(page.getByText(person.email)).toBeVisible()
  })

  await test.step('in storage', async () => {
    await store(page, { userEmail: MARKUP })
    for (const path of ['/verify-email', '/forgot-password-otp']) {
      await page.goto(path)
      await waitUntilRendered(page)
      await expect(page.getByText(MARKUP)).toBeVisible()
      await expect(injected).toHaveCount(0)
    }
  })

  await test.step('as the stored user, draft and theme, which are ignored', async () => {
    const participant = await product.newParticipant()
    await product.storeSession(page, participant)
    await store(page, { user: MARKUP, claimDraft: MARKUP, theme: MARKUP })
    await page.goto('/airdrop')
    await expect(page.getByRole('button', { name: 'Claim Now' })).toBeEnabled()
    await page.goto('/profile')
    await expect(page.getByText(participant.username).first()).toBeVisible()
  })
})
