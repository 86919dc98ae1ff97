import { readFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { expectAccessible } from './checks/axe.ts'
import { sectionLink } from './steps/dashboard-steps.ts'
import { startFakeServices } from './support/fake-services.ts'
import { prepareProduct } from './support/product-process.ts'
import { expect, productOf, test } from './support/product.ts'

const PASSWORD = 'an administrator passphrase'
const BLUE = '#0a5cff'

/** The setup link that the product has printed at its start. */
async function printedLink(name: string): Promise<string> {
  const log = path.resolve(import.meta.dirname, '../test-results', `${name}.log`)
  const read = async () =>
    /^ {2}(http:\S+\/setup#token=[\w-]{43})$/m.exec(await readFile(log, 'utf8'))?.[1] ?? ''
  await expect.poll(read, { message: 'the setup link is printed' }).not.toBe('')
  return read()
}

test('the printed setup link leads from an empty product to a site with its own logo and colors', async ({
  browser,
}, { workerIndex }) => {
  const name = `first-run-${workerIndex}-${crypto.randomUUID()}`
  const services = await startFakeServices()
  services.removePrice()
  services.setBlock(undefined)
  const { PRICE_API_URL, CHAIN_RPC_URL } = services.env
  const server = await prepareProduct(name, { env: { PRICE_API_URL, CHAIN_RPC_URL } })
  try {
    await server.start()
    const { url } = server
    const link = await printedLink(name)
    const page = await browser.newPage({ baseURL: url })

    await test.step('without price and chain, Home says so', async () => {
      await page.goto('/')
      const price = page.locator('#hero .stat-card').filter({ hasText: 'Price' }).locator('dd')
      await expect(price).toHaveText('N/A')
      await expect(page.locator('footer').getByText('chain unreachable')).toBeVisible()
      services.setBlock(24_500_000) // From here on, the chain answers.
    })

    await test.step('the leaderboard is empty', async () => {
      await page.goto('/leaderboard')
      await expect(page.getByText('No users found yet.')).toBeVisible()
      await expect(page.getByRole('table')).toHaveCount(0)
      await expect(page.getByText(/^Page \d/)).toHaveCount(0)
    })

    await test.step('without the token of a link, the setup page says which command prints a link', async () => {
      await page.goto('/setup')
      await expect(page.getByText('npm run admin -- link', { exact: true }).first()).toBeVisible()
      await expect(page.getByRole('textbox')).toHaveCount(0)
    })

    await test.step('the link creates the administrator, and its token disappears from the address', async () => {
      // From /setup, the link would only change the fragment, without loading the page again.
      await page.goto('about:blank')
      await page.goto(link)
      await page.getByLabel('Email').fill('boss@team.example')
      await page.getByLabel('Username').fill('boss')
      await page.getByLabel('Password', { exact: true }).fill('too short')
      await page.getByRole('button', { name: 'Create administrator' }).click()
      await expect(page.getByText('Administrators need at least 15 characters.')).toBeVisible()
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Create administrator' }).click()
      await expect(page).toHaveURL(`${url}/setup?step=checks`)
    })

    await test.step('the checks say what works, and where the test email is', async () => {
      const finding = (check: string) => page.getByRole('listitem').filter({ hasText: check })
      await expect(finding('Address and proxy')).toContainText(`You reached ${url}`)
      await expect(finding('Chain').first()).toContainText('The node gave its chain ID')
      await page.getByRole('button', { name: 'Send a test email' }).click()
      await expect(finding('Test email')).toContainText(`${url}/dev/mailbox`)
      await expectAccessible(page, 'checks')
    })

    await test.step('a logo and a color are saved', async () => {
      await page.getByRole('link', { name: 'Continue' }).click()
      const fileInput = page.getByRole('region', { name: 'Logo' }).locator('input')
      const buffer = await sharp({ create: { width: 200, height: 100, channels: 4, background: BLUE } })
        .png()
        .toBuffer()
      await fileInput.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer })
      for (const [index, paper] of ['rgb(251, 246, 236)', 'rgb(18, 19, 28)'].entries())
        await expect(page.getByAltText('The logo').nth(index).locator('..'), 'in both themes').toHaveCSS(
          'background-color',
          paper,
        )
      const accent = page.getByLabel('Accent, light', { exact: true })
      await accent.fill('#ffd400')
      await expect(page.getByRole('button', { name: 'Save the look' })).toBeDisabled()
      await expect(page.getByText('buttons and lines have a contrast of 1.2:1')).toBeVisible()
      await accent.fill(BLUE)
      await page.getByRole('button', { name: 'Save the look' }).click()
      await expect(page.getByText('Saved. The pages of the site show it now')).toBeVisible()
      await expectAccessible(page, 'look')
    })

    await test.step('Home shows the new logo and accent', async () => {
      await page.emulateMedia({ colorScheme: 'light' })
      const mark = page.locator('header .brand-mark').first()
      const logo = /\/brand\/[0-9a-f]{64}-192x96\.webp/
      await expect(async () => {
        await page.goto('/')
        await expect(mark).toHaveCSS('background-image', logo, { timeout: 1_000 })
      }).toPass()
      const button = page.getByRole('link', { name: 'Airdrop', exact: true }).first()
      await expect(button).toHaveCSS('background-color', 'rgb(10, 92, 255)')
    })

    await test.step('the last steps lead to settings and people in the dashboard', async () => {
      await page.goto('/setup?step=campaign')
      const settings = page.getByRole('link', { name: 'Open the settings' })
      await expect(settings).toHaveAttribute('href', '/dashboard/settings')
      await page.getByRole('link', { name: 'Continue' }).click()
      await expect(page.getByText('npm run backup -- ../first.backup', { exact: true }).first()).toBeVisible()
      await page.getByRole('link', { name: 'Open the list of people' }).click()
      await expect(page).toHaveURL(`${url}/dashboard/people`)
    })

    await test.step('the dashboard is empty', async () => {
      await sectionLink(page, 'Claims').click()
      await expect(page.getByRole('heading', { name: 'Users with Completed Tasks' })).toBeVisible()
      await expect(page.getByText('No claims have been submitted yet.')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Verify Task' })).toHaveCount(0)
    })

    await test.step('the first participant is listed on the only page', async () => {
      const { username } = await productOf(server, services).newParticipant()
      await page.goto('/leaderboard')
      const row = page.getByRole('row').filter({ hasText: username })
      await expect(row.getByRole('img', { name: '1, Gold medal' })).toBeVisible()
      await expect(row.getByRole('cell').last(), 'the total points').toHaveText('0')
      await expect(page.getByRole('button', { name: /^(Prev|Next)$/ })).toHaveCount(0)
      await expect(page.getByText(/^Page \d/)).toHaveCount(0)
    })

    await test.step('the link is used up', async () => {
      await page.evaluate(() => localStorage.clear()) // logs out
      await page.goto(link)
      await expect(page.getByRole('alert')).toContainText('This setup link has already been used.')
    })
    await page.close()
  } finally {
    await server.remove()
    await services.close()
  }
})
