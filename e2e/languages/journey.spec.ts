import type { Page } from '@playwright/test'
import { intlTag, type Locale } from '#contract/locales.ts'
import type * as Account from '#messages/account.js'
import type * as Airdrop from '#messages/airdrop.js'
import type * as Dashboard from '#messages/dashboard-frame.js'
import type * as Leaderboard from '#messages/leaderboard.js'
import type * as Profile from '#messages/profile.js'
import type * as Proof from '#messages/proof.js'
import type * as Register from '#messages/register.js'
import campaign from '#server/testing/campaign.ts'
import { expectAccessibleExceptColors, PHONE } from '../checks/axe.ts'
import { rememberTasks, waitForStatus } from '../steps/airdrop-steps.ts'
import { rowNamed } from '../steps/dashboard-steps.ts'
import { newProof, newPerson, type Person } from '../support/people.ts'
import { expect, test } from '../support/product.ts'

/** The texts from registration to approval. */
type Texts = typeof Account &
  typeof Airdrop &
  typeof Dashboard &
  typeof Leaderboard &
  typeof Profile &
  typeof Proof &
  typeof Register

const NAMESPACES = ['account', 'airdrop', 'dashboard-frame', 'leaderboard', 'profile', 'proof', 'register']

async function textsIn(locale: Locale): Promise<Texts> {
  const modules = await Promise.all(
    NAMESPACES.map(async (name) => (await import(`#catalogue/${locale}/${name}.js`)) as object),
  )
  return Object.assign({}, ...modules) as Texts
}

test.use({
  viewport: PHONE,
  hasTouch: true,
  contextOptions: { reducedMotion: 'no-preference' },
})

test('a visitor becomes an approved participant in Arabic', async ({ page, browser, product }) => {
  const texts = await textsIn('ar')
  const person = newPerson()
  const urlOf = (path: string) => `${product.url}/ar${path}`

  await test.step('reads Home and registers', async () => {
    await page.goto(urlOf(''))
    await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    await page.goto(urlOf('/register'))
    await register(page, person, texts)
    await expect(page).toHaveURL(urlOf('/verify-email'))
  })

  await test.step('finds a code in an email of the same language and verifies', async () => {
    const mail = await product.mailFor(person.email)
    expect(mail.html).toMatch(/<html[^>]* lang="ar" dir="rtl"/)
    const firstDigit = texts.CODE_WORDS.digit({ position: 1 })
    await page.getByRole('textbox', { name: firstDigit, exact: true }).click()
    await page.keyboard.type(mail.code)
    await page.getByRole('button', { name: texts.VERIFY_EMAIL.button, exact: true }).click()
    await expect(page).toHaveURL(urlOf('/login'))
  })

  await test.step('logs in', async () => {
    await page.getByLabel(texts.LOGIN.email, { exact: true }).fill(person.email)
    await page.getByLabel(texts.LOGIN.password, { exact: true }).fill(person.password)
    await page.getByRole('button', { name: texts.LOGIN.button, exact: true }).click()
    await expect(page).toHaveURL(urlOf('/profile'))
    await expect(page.getByText(texts.TASK_STATUS.notSubmitted, { exact: true })).toBeVisible()
  })

  await test.step('submits the proof after the four tasks', async () => {
    // Stores that the tasks' links have been opened.
    await rememberTasks(page)
    await page.goto(urlOf('/airdrop'))
    await page.getByRole('button', { name: texts.START.claim, exact: true }).click()
    const hashtags = campaign.airdrop.tasks.flatMap((task) => task.hashtags ?? [])
    await expect(page.locator('button[data-done] bdi')).toHaveText(hashtags)
    const allDone = texts.TASKS.allDone({ tasks: campaign.airdrop.tasks.length })
    await page.getByRole('button', { name: allDone, exact: true }).click()
    await expect(page.getByRole('heading', { name: texts.PROOF.title, exact: true })).toBeVisible()
    await expectAccessibleExceptColors(page, 'proof in Arabic')
    const proof = newProof()
    for (const field of ['wallet', 'telegram', 'twitter', 'retweetLink'] as const) {
      const input = page.getByLabel(texts.PROOF_TEXTS[field].label, { exact: true })
      await input.fill(proof[field])
      // In right-to-left text, the @ would follow the handle.
      await expect(input).toHaveCSS('direction', 'ltr')
    }
    await page.getByRole('button', { name: texts.PROOF.button, exact: true }).click()
    await expect(page).toHaveURL(urlOf('/profile'))
    await waitForStatus(page, texts.TASK_STATUS.underReview)
  })

  await test.step('an administrator verifies the claim in Spanish', async () => {
    const dashboard = await product.pageOf(browser, await product.admin())
    await dashboard.context().addCookies([{ name: 'locale', value: 'es', url: product.url }])
    await dashboard.goto(`/es/dashboard?search=${person.username}`)
    const { DASHBOARD } = await textsIn('es')
    const row = rowNamed(dashboard, person)
    await row.getByRole('button', { name: DASHBOARD.verify, exact: true }).click()
    await expect(row.getByRole('button', { name: DASHBOARD.verified, exact: true })).toBeDisabled()
    await dashboard.close()
  })

  await test.step('sees the points on the profile and on the leaderboard', async () => {
    await page.goto(urlOf('/profile'))
    await expect(page.getByText(texts.TASK_STATUS.approved, { exact: true })).toBeVisible()
    const shown = (points: number) => points.toLocaleString(intlTag('ar'))
    // Four tasks grant 5,000 of the token and of the coin each.
    await expect(page.getByText(shown(20_000)).first()).toBeVisible()
    await page.goto(urlOf('/leaderboard'))
    await expect(page.getByRole('heading', { level: 1, name: texts.LEADERBOARD.title })).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: person.username })).toContainText(shown(40_000))
  })
})

async function register(page: Page, person: Person, { REGISTER }: Texts): Promise<void> {
  await page.getByLabel(REGISTER.username, { exact: true }).fill(person.username)
  await page.getByLabel(REGISTER.email, { exact: true }).fill(person.email)
  await page.getByLabel(REGISTER.password, { exact: true }).fill(person.password)
  await page.getByRole('button', { name: REGISTER.button, exact: true }).click()
}
