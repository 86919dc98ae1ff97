import type { Page } from '@playwright/test'
import campaign from '#server/testing/campaign.ts'
import { tasksOf } from '#server/testing/builders/tasks.ts'
import { expectAccessibleAndFits, expectFits } from '../checks/fit.ts'
import { accountOf, rowNamed, saveSettings } from '../steps/dashboard-steps.ts'
import { expect, test, withProduct } from '../support/product.ts'

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'

/** Tasks, the last of which has a very long word. */
const longTasks = (count: number) =>
  tasksOf(count).map((task, index) =>
    index === count - 1 ? { ...task, title: LONG, hashtags: [`#${'Pulse'.repeat(10)}`] } : task,
  )

/** Features or facts with very long words. */
const entries = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    title: index === count - 1 ? LONG : `Entry ${index + 1}`,
    text: `${LONG}, and the rest of entry ${index + 1}.`,
  }))

const taskButtons = (page: Page) => page.locator('button[data-done]')

/** Prevents new tabs, which would take most of the time. `airdrop.spec.ts` tests them. */
async function startClaim(page: Page, heading: string): Promise<void> {
  await page.goto('/airdrop')
  await page.evaluate(() => (window.open = () => null))
  await page.getByRole('button', { name: 'Claim Now' }).click()
  await expect(page.getByRole('heading', { name: heading })).toBeVisible()
}

test('one task can be claimed, and ten tasks with different points fit the screen and earn their points', async ({
  browser,
}, { workerIndex }) => {
  const airdrop = { ...campaign.airdrop, tasks: longTasks(1) }
  // A product of its own, because the other tests' campaign has four tasks.
  await withProduct(`tasks-${workerIndex}`, { campaign: { ...campaign, airdrop } }, async (product) => {
    const page = await browser.newPage({ baseURL: product.url, hasTouch: true })

    await test.step('the texts about a single task use the singular', async () => {
      await product.storeSession(page, await product.newParticipant())
      await startClaim(page, 'One task')
      await expect(taskButtons(page)).toHaveCount(1)
      await expect(page.getByRole('button', { name: 'Complete the Task to Continue' })).toBeDisabled()
      await taskButtons(page).click()
      await page.getByRole('button', { name: 'Task Done — Continue' }).click()
      await expect(page.getByRole('heading', { name: 'Claim Your Airdrop' })).toBeVisible()
    })

    await test.step('nine features and facts, a large supply and long symbols fit', async () => {
      await saveSettings(product, [
        { path: 'token.supply', value: '420,690,000,000,000' },
        { path: 'token.symbol', value: 'WWWWWWWWWWW' },
        { path: 'chain.currency.symbol', value: 'MMMMMMMMMMM' },
        { path: 'airdrop.tasks', value: longTasks(10) },
        { path: 'texts.features', value: entries(9) },
        { path: 'texts.facts', value: entries(9) },
      ])
      const tokenomics = async () => (await page.request.get('/tokenomics')).text()
      await expect.poll(tokenomics).toContain('and the rest of entry 9.')
      for (const path of ['/about', '/tokenomics', '/rules', '/']) {
        await page.goto(path)
        if (path !== '/rules') await expect(page.getByText(/, and the rest of entry \d+\./)).toHaveCount(9)
        await expectFits(page, path)
      }
      const overflows = (cards: Element[]) => cards.map((card) => card.scrollWidth - card.clientWidth)
      expect(await page.locator('.stat-card').evaluateAll(overflows)).toEqual([0, 0, 0, 0])
    })

    await test.step('ten tasks are opened one by one', async () => {
      await product.storeSession(page, await product.newParticipant())
      await startClaim(page, 'Ten tasks')
      for (const task of await taskButtons(page).all()) {
        await expect(page.getByRole('button', { name: 'Complete All Tasks to Continue' })).toBeDisabled()
        await task.click()
      }
      // The odd tasks together give 25,000 in the token and in the coin, the even ones 30,000 and 400.
      await expect(page.locator('main dl dd')).toHaveText(['55,000pending', '25,400pending'])
      await expectAccessibleAndFits(page, 'ten tasks', 'main')
      await page.getByRole('button', { name: 'All Tasks Done — Continue' }).click()
      await expect(page.getByRole('heading', { name: 'Claim Your Airdrop' })).toBeVisible()
    })

    await test.step('the dashboard grants the sum of the points', async () => {
      const claimant = await product.newClaimant()
      await page.setViewportSize({ width: 1440, height: 900 })
      await product.openAs(page, await product.admin(), '/dashboard')
      const row = rowNamed(page, claimant)
      await row.getByRole('button', { name: 'Verify Task' }).click()
      await expect(row.getByRole('button', { name: 'Verified' })).toBeDisabled()
      expect(await accountOf(product, claimant)).toMatchObject({ pfPoints: 55_000, plsPoints: 25_400 })
    })

    await test.step('the payout fits', async () => {
      await page.goto('/dashboard/payout')
      await expect(page.getByRole('button', { name: 'Freeze the allocation' })).toBeVisible()
      await expectFits(page, 'payout')
    })
    await page.close()
  })
})
