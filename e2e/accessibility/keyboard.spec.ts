import { expectFocusGoesRound, press, tabTo } from '../checks/focus.ts'
import { rememberTasks } from '../steps/airdrop-steps.ts'
import { newProof, newPerson } from '../support/people.ts'
import { expect, test } from '../support/product.ts'

test('completes a claim by keyboard alone, with the focus always visible', async ({ page, product }) => {
  const person = newPerson()
  const proof = newProof()
  await page.goto('/')

  async function fillInAndSend(fields: Record<string, string>): Promise<void> {
    for (const [label, text] of Object.entries(fields)) {
      await tabTo(page, page.getByLabel(label, { exact: true }))
      await page.keyboard.insertText(text)
    }
    await page.keyboard.press('Enter')
  }

  await test.step('the first Tab offers to skip to the content', async () => {
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to content' })
    await expect(skip).toBeFocused()
    await expect(skip).toBeInViewport()
    await expectFocusGoesRound(page)
    await tabTo(page, skip)
    await page.keyboard.press('Enter')
    await expect(page.locator('main')).toBeFocused()
    // The next stop is in the content.
    await tabTo(page, page.getByRole('link', { name: 'Buy', exact: true }))
  })

  await test.step('copies the contract', async () => {
    const copy = page.locator('#hero .stat-card').getByRole('button')
    await press(page, copy)
    await expect(copy).toHaveText('Copied!')
    await expect(copy).toBeFocused()
  })

  await test.step('goes to the airdrop and registers', async () => {
    await press(page, page.locator('header').getByRole('link', { name: 'Airdrop' }), 'Shift+Tab')
    await expect(page).toHaveURL('/airdrop')
    await press(page, page.getByRole('link', { name: 'Register Now' }))
    await expect(page).toHaveURL('/register')
    await expect(page.getByRole('heading', { level: 1, name: 'Create Account' })).toBeVisible()
    await expectFocusGoesRound(page)
    await fillInAndSend({ Username: person.username, Email: person.email, Password: person.password })
    await expect(page).toHaveURL('/verify-email')
  })

  await test.step('types the code into the first box, which has the focus', async () => {
    const { code } = await product.mailFor(person.email)
    await expect(page.getByLabel('Digit 1')).toBeFocused()
    await page.keyboard.type(code)
    await press(page, page.getByRole('button', { name: 'Verify Email' }))
    await expect(page).toHaveURL('/login')
  })

  await test.step('logs in and returns to the airdrop', async () => {
    await fillInAndSend({ Email: person.email, Password: person.password })
    await expect(page).toHaveURL('/profile')
    // Marks the first three tasks as done, which saves opening their pages.
    await rememberTasks(page, 3)
    await press(page, page.getByRole('main').getByRole('link', { name: 'Go to the airdrop' }))
    await expect(page).toHaveURL('/airdrop')
    await press(page, page.getByRole('button', { name: 'Claim Now' }))
    await expect(page.getByRole('heading', { name: 'Four tasks' })).toBeFocused()
  })

  await test.step('opens the last of the tasks', async () => {
    const tasks = page.locator('button[data-done]') // "true" or "false"
    await expect(tasks).toHaveCount(4)
    for (const task of await tasks.all()) await tabTo(page, task)
    const opened = page.waitForEvent('popup')
    await page.keyboard.press('Enter')
    await (await opened).close()
    await page.bringToFront()
    await expect(tasks.last()).toBeFocused()
    await press(page, page.getByRole('button', { name: 'All Tasks Done — Continue' }))
    await expect(page.getByRole('heading', { name: 'Claim Your Airdrop' })).toBeFocused()
  })

  await test.step('submits the proof', async () => {
    await fillInAndSend({
      'Wallet Address': proof.wallet,
      Telegram: proof.telegram,
      Twitter: proof.twitter,
      'Retweet Link': proof.retweetLink,
    })
    await expect(page).toHaveURL('/profile')
    await expect(page.getByText(/^(Submitted|Under Review)$/)).toBeVisible()
    // When main has the focus, the new screen has been scrolled to the top.
    await expect(page.locator('main')).toBeFocused()
    // Waits for the last section, because each section that appears adds stops for Tab.
    await expect(page.getByRole('button', { name: 'Download your data' })).toBeVisible()
    await expectFocusGoesRound(page)
  })
})
