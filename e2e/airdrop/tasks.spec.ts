import type { Page } from '@playwright/test'
import campaign from '#server/testing/campaign.ts'
import { tasksOf } from '#server/testing/builders/tasks.ts'
import { expectAccessibleAndFits, expectFits } from '../checks/fit.ts'
import { rowOf, saveSettings } from '../steps/dashboard-steps.ts'
import { expect, type Product, test as base, withProduct } from '../support/product.ts'

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'

/** Tasks, the last one with a very long word. */
const longTasks = (count: number) =>
  tasksOf(count).map((task, index) =>
    index === count - 1 ? { ...task, title: LONG, hashtags: [`#${'Pulse'.repeat(10)}`] } : task,
  )

/** Features or facts, the last one with a very long word. */
const entries = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    title: index === count - 1 ? LONG : `Entry ${index + 1}`,
    text: `${LONG}, and the rest of entry ${index + 1}.`,
  }))

const SMALL_CAMPAIGN = {
  ...campaign,
  airdrop: { ...campaign.airdrop, tasks: longTasks(1) },
  texts: { ...campaign.texts, features: entries(1), facts: entries(1) },
}

/** A product of its own: it begins with one task, one feature and one fact. */
const test = base.extend<object, { product: Product }>({
  product: [
    ({}, use, { workerIndex }) => withProduct(`tasks-${workerIndex}`, { campaign: SMALL_CAMPAIGN }, use),
    { scope: 'worker', timeout: 300_000 },
  ],
})

test.use({ hasTouch: true })

/** Overrides tasks, features and facts of the running product. */
const changeCounts = (product: Product, { tasks, texts }: { tasks: number; texts: number }) =>
  saveSettings(product, [
    { path: 'airdrop.tasks', value: longTasks(tasks) },
    { path: 'texts.features', value: entries(texts) },
    { path: 'texts.facts', value: entries(texts) },
  ])

async function expectPagesFit(page: Page, texts: number): Promise<void> {
  for (const path of ['/', '/about', '/tokenomics', '/rules']) {
    await page.goto(path)
    if (path !== '/rules') await expect(page.getByText(/, and the rest of entry \d+\./)).toHaveCount(texts)
    await expectFits(page, `${path}, ${texts} entries`)
  }
}

const taskButtons = (page: Page) => page.locator('button[data-done]')

/** Lets tasks open no tabs, which would take most of the time: `airdrop.spec.ts` tests those. */
async function startClaim(page: Page, heading: string): Promise<void> {
  await page.goto('/airdrop')
  await page.evaluate(() => (window.open = () => null))
  await page.getByRole('button', { name: 'Claim Now' }).click()
  await expect(page.getByRole('heading', { name: heading })).toBeVisible()
}

test('one task, then ten of different worth, fit and earn what they are worth', async ({ page, product }) => {
  await test.step('a single task is worded as one', async () => {
    await expectPagesFit(page, 1)
    await product.storeSession(page, await product.newParticipant())
    await startClaim(page, 'One task')
    await expect(taskButtons(page)).toHaveCount(1)
    await expect(page.getByRole('button', { name: 'Complete the Task to Continue' })).toBeDisabled()
    await expectAccessibleAndFits(page, 'one task')
    await taskButtons(page).click()
    await page.getByRole('button', { name: 'Task Done — Continue' }).click()
    await expect(page.getByRole('heading', { name: 'Claim Your Airdrop' })).toBeVisible()
  })

  await test.step('nine features and facts fit', async () => {
    await changeCounts(product, { tasks: 10, texts: 9 })
    const facts = async () => (await page.request.get('/tokenomics')).text()
    await expect.poll(facts).toContain('and the rest of entry 9.')
    await expectPagesFit(page, 9)
  })

  await test.step('ten tasks are opened one by one', async () => {
    await product.storeSession(page, await product.newParticipant())
    await startClaim(page, 'Ten tasks')
    // What the tasks opened so far are worth together.
    const tokenSums = '5,000 7,000 12,000 16,000 21,000 27,000 32,000 40,000 45,000 55,000'.split(' ')
    const coinSums = '5,000 5,000 10,000 10,100 15,100 15,200 20,200 20,300 25,300 25,400'.split(' ')
    for (const [index, tokenSum] of tokenSums.entries()) {
      await expect(page.getByRole('button', { name: 'Complete All Tasks to Continue' })).toBeDisabled()
      await taskButtons(page).nth(index).click()
      await expect(page.locator('main dl dd')).toHaveText([`${tokenSum}pending`, `${coinSums[index]}pending`])
    }
    await expectAccessibleAndFits(page, 'ten tasks')
    await page.getByRole('button', { name: 'All Tasks Done — Continue' }).click()
    await expect(page.getByRole('heading', { name: 'Claim Your Airdrop' })).toBeVisible()
  })

  await test.step('the dashboard grants the sums', async () => {
    const { username } = await product.newClaimant()
    await page.setViewportSize({ width: 1440, height: 900 })
    await product.openAs(page, await product.admin(), '/dashboard')
    const row = await rowOf(page, username)
    await row.getByRole('button', { name: 'Verify Task' }).click()
    await expect(row.getByRole('button', { name: 'Verified' })).toBeDisabled()
    await page.goto('/leaderboard')
    const cells = page.getByRole('row').filter({ hasText: username }).getByRole('cell')
    await expect(cells).toHaveText([/\d/, new RegExp(username), '55,000', '25,400', '0', '80,400'])
  })
})
