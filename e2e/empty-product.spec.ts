import { prepareProduct } from './support/operator.ts'
import { startFakeServices } from './support/fake-services.ts'
import { newPerson, registerAndLogIn } from './support/people.ts'
import { expect, productOf, test } from './support/product.ts'

test('an empty product shows no price, an empty leaderboard and nothing to verify', async ({ browser }, {
  workerIndex,
}) => {
  const services = await startFakeServices()
  services.price('no pair')
  services.block(undefined)
  const operator = await prepareProduct(`fresh-${workerIndex}`, {
    TRUST_PROXY: 'loopback',
    PRICE_API_URL: `${services.url}/price`,
    CHAIN_RPC_URL: `${services.url}/rpc`,
    OEMBED_URL: `${services.url}/oembed`,
  })
  try {
    await operator.start()
    const product = productOf(operator, services)
    const page = await browser.newPage({ baseURL: product.url })

    await test.step('the price is N/A and the chain is reported unreachable', async () => {
      await page.goto('/')
      await expect(page.locator('#hero .stat-card').filter({ hasText: 'Price' }).locator('dd')).toHaveText(
        'N/A',
      )
      await expect(page.locator('footer').getByText('chain unreachable')).toBeVisible()
    })

    await test.step('the leaderboard is empty', async () => {
      await page.goto('/leaderboard')
      await expect(page.getByText('No users found yet.')).toBeVisible()
      await expect(page.getByRole('table')).toHaveCount(0)
      await expect(page.getByText(/^Page \d/)).toHaveCount(0)
    })

    await test.step('the dashboard is empty', async () => {
      const admin = await product.admin()
      await product.storeSession(page, admin)
      await page.goto('/dashboard')
      await expect(page.getByRole('heading', { name: 'Users with Completed Tasks' })).toBeVisible()
      await expect(page.getByText('No claims have been submitted yet.')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Verify Task' })).toHaveCount(0)
    })

    await test.step('the first participant is listed on the only page', async () => {
      const first = await registerAndLogIn(product.url, newPerson())
      await page.goto('/leaderboard')
      const row = page.getByRole('row').filter({ hasText: first.username })
      await expect(row.getByRole('img', { name: '1, Gold medal' })).toBeVisible()
      await expect(row.getByRole('cell').nth(5)).toHaveText('0')
      await expect(page.getByRole('button', { name: /^(Prev|Next)$/ })).toHaveCount(0)
      await expect(page.getByText(/^Page \d/)).toHaveCount(0)
    })
    await page.close()
  } finally {
    await operator.remove()
    await services.close()
  }
})
