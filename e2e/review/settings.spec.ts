import type { Page } from '@playwright/test'
import { settings } from '#contract/dashboard/settings.ts'
import { expectAccessibleOnPhone } from '../checks/axe.ts'
import { submitLogin } from '../steps/account-steps.ts'
import { openSection, saveSettings, sectionLink } from '../steps/dashboard-steps.ts'
import { hold } from '../support/intercept.ts'
import { expect, test, type Product } from '../support/product.ts'

/**
 * Goes back to the file's values, because other tests share the product. Slots stay: once there is a claim,
 * none can be taken away.
 */
async function reset(product: Product): Promise<void> {
  const { token } = await product.admin()
  const { settings: all } = (await product.callOrFail(settings, { token })).data
  const changes = all
    .filter(({ path, source }) => source === 'override' && path !== 'airdrop.slots')
    .map(({ path }) => ({ path, unset: true as const }))
  if (changes.length > 0) await saveSettings(product, changes)
}

test.afterEach(({ product }) => reset(product))

const openGroup = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Groups of settings' }).getByRole('button', { name }).click()
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
const heroField = (page: Page) => page.getByLabel('Opening paragraph')
const paperField = (page: Page) => page.getByLabel('Paper, light', { exact: true })

/** Fetches the page without a browser, because the server renders its texts. */
async function expectVisitorReads(page: Page, path: string, text: string): Promise<void> {
  expect(await (await page.request.get(path)).text()).toContain(text)
}

test('says where texts still have the old name of the token, and which texts are translated', async ({
  page,
  product,
}) => {
  const notice = page.getByText('Some texts still say')
  await product.openAs(page, await product.admin(), '/dashboard/settings')
  await expect(page.getByRole('heading', { name: 'Token', exact: true })).toBeVisible()
  await expect(notice).toHaveCount(0)
  await page.getByLabel('Name of the token').fill('Lantern')
  await save(page)
  await expect(notice).toContainText('“Pocket Future”')
  await expect(notice).toContainText('Small print')
  await expect(notice).not.toContainText('Chain and explorer')
  await saveSettings(product, [{ path: 'token.name', unset: true }])
  await page.reload()
  await expect(page.getByLabel('Name of the token')).toHaveValue('Pocket Future')
  await expect(notice).toHaveCount(0)

  await test.step('says which texts are translated, and that changing a text removes its translations', async () => {
    const value = { en: 'Read this.', es: 'Lee esto.', tr: 'Bunu okuyun.' }
    await saveSettings(product, [{ path: 'texts.risk', value }])
    await page.reload()
    await openGroup(page, 'Texts')
    const row = page.locator('[id="setting-texts.risk"]')
    await expect(row).toContainText('English text; 2 more languages have their own')
    await expect(page.locator('[id="setting-texts.hero"]')).not.toContainText('English text')
    await row.getByRole('textbox').fill('Read this first.')
    await expect(row).toContainText('Whatever you reword appears like this in every language.')
    await save(page)
    await expect(page.getByText('Your settings are saved')).toBeVisible()
    await expect(row).not.toContainText('English text')
  })
})

test('an administrator changes settings, and goes back to the file', async ({ page, product }) => {
  const admin = await product.admin()
  const hero = heroField(page)
  const slots = page.getByLabel('Slots', { exact: true })
  const changedBy = page.getByText(`Changed by ${admin.user.username}`)
  await product.storeSession(page, admin)
  await openSection(page, 'Settings')
  await expect(page.getByRole('heading', { name: 'Token', exact: true })).toBeVisible()

  const heroOfFile = await test.step('the preview shows a changed text', async () => {
    await openGroup(page, 'Texts')
    const value = await hero.inputValue()
    await hero.fill('A hero from the dashboard.')
    const preview = page.frameLocator('iframe[title="Preview of Home"]')
    await expect(preview.getByText('A hero from the dashboard.')).toBeVisible()
    return value
  })

  await test.step('a refused value is listed, and the list leads to its field', async () => {
    await openGroup(page, 'Slots and dates')
    await slots.fill('many')
    await save(page)
    const problems = page.getByRole('alert')
    await expect(problems).toBeFocused()
    await expect(problems).toContainText('One value needs your attention:')
    await expectAccessibleOnPhone(page, 'a refused setting', 'main')
    await openGroup(page, 'Texts')
    await problems.getByRole('button', { name: 'Slots: Must be a whole number.' }).click()
    await expect(slots).toBeFocused()
  })

  await test.step('visitors see the saved values', async () => {
    await slots.fill('12000')
    const preview = page.frameLocator('iframe[title="Preview of Rules"]')
    await expect(preview.getByText('There are 12,000 slots')).toBeVisible()
    await expect(page.getByText('2 unsaved changes')).toBeVisible()
    await save(page)
    await expect(page.getByText('Your settings are saved, and the site already shows them.')).toBeVisible()
    await expect(changedBy).toBeVisible()
    await expectVisitorReads(page, '/', 'A hero from the dashboard.')
  })

  await test.step('a text goes back to the value of the file', async () => {
    await openGroup(page, 'Texts')
    await page.getByRole('button', { name: 'Back to the file’s value' }).click()
    await expect(hero).toHaveValue(heroOfFile)
    await save(page)
    await expect(page.getByText('unsaved change')).toBeHidden()
    await expect(changedBy).toBeHidden()
  })

  await test.step('the list of refused values leads to the field with a refused line', async () => {
    await openGroup(page, 'Roadmap')
    const points = page.getByRole('group', { name: 'No. 2' }).getByLabel('What it brings, one per line')
    await points.fill('One thing\n')
    await save(page)
    await page.getByRole('alert').getByRole('button', { name: 'Must not be empty.' }).click()
    await expect(points).toBeFocused()
    await expect(points).toHaveAccessibleDescription('Must not be empty.')
  })

  await test.step('if coin points are refused, only their field is marked', async () => {
    await openGroup(page, 'Tasks')
    const task = page.getByRole('group', { name: 'No. 1' })
    await task.getByLabel('Token points').fill('1000')
    await task.getByLabel('Coin points').fill('many')
    await save(page)
    await expect(task.getByLabel('Coin points')).toHaveAccessibleDescription('Must be a whole number.')
    await expect(task.getByLabel('Token points')).not.toHaveAttribute('aria-invalid')
  })

  await test.step('beside an unsaved time, the saved one is in the same time zone', async () => {
    await openGroup(page, 'Slots and dates')
    await page.getByLabel('Opens').fill('2090-01-01T00:00')
    await expect(page.getByText(/^Currently: \w{3} \d{1,2}, \d{4}, \d{1,2}:\d\d/)).toBeVisible()
  })
})

test('unsaved changes survive visits to other sections', async ({ page, product }) => {
  await product.openAs(page, await product.admin(), '/dashboard/settings')

  await test.step('adds a phase to the roadmap', async () => {
    await openGroup(page, 'Roadmap')
    await page.getByRole('button', { name: 'Add a phase' }).click()
    const newPhase = page.getByRole('group', { name: 'No. 6' })
    await newPhase.getByLabel('Phase').fill('The Sixth')
    await newPhase.getByLabel('What it brings, one per line').fill('One thing\nAnother thing')
  })

  await test.step('visits a section that fails to load at first', async () => {
    await expect(sectionLink(page, 'Docs')).toHaveAttribute('href', '/docs')
    await page.route(/\/assets\/people-|\/dashboard\/people$/, (route) => route.abort())
    await sectionLink(page, 'People').click()
    await expect(page.getByText('We couldn’t load this screen')).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
    await page.goBack()
    await sectionLink(page, 'People').click()
    await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible()
  })

  await test.step('moves the phase up and saves it', async () => {
    await sectionLink(page, 'Settings').click()
    await openGroup(page, 'Roadmap')
    await page.getByRole('button', { name: 'Move no. 6 up' }).click()
    await expect(page.getByRole('group', { name: 'No. 5' }).getByLabel('Phase')).toHaveValue('The Sixth')
    const preview = page.frameLocator('iframe[title="Preview of Roadmap"]')
    await expect(preview.getByText('Another thing')).toBeVisible()
    await save(page)
    await expect(page.getByText('Your settings are saved, and the site already shows them.')).toBeVisible()
    await expectVisitorReads(page, '/roadmap', 'The Sixth')
  })
})

test('edits during a pending save remain unsaved, and saved values do not', async ({ page, product }) => {
  await product.openAs(page, await product.anotherAdmin(), '/dashboard/settings')

  await test.step('a setting', async () => {
    await openGroup(page, 'Texts')
    await heroField(page).fill('A first hero.')
    const saving = await hold(page, '**/api/v1/settings', 'PUT')
    await save(page)
    await heroField(page).fill('A second hero.')
    saving.release()
    await expect(page.getByText('Your settings are saved')).toBeVisible()
    await expect(page.getByText('1 unsaved change')).toBeVisible()
    await expect(heroField(page)).toHaveValue('A second hero.')
  })

  await test.step('a save that ends after leaving its screen clears the unsaved changes', async () => {
    const saving = await hold(page, '**/api/v1/settings', 'PUT')
    await save(page)
    await sectionLink(page, 'Checks').click()
    await sectionLink(page, 'Settings').click()
    await expect(page.getByText('1 unsaved change')).toBeVisible()
    saving.release()
    await expect(page.getByText('Your settings are saved')).toBeVisible()
    await expect(page.getByText('unsaved change')).toBeHidden()
    await openGroup(page, 'Texts')
    await expect(heroField(page)).toHaveValue('A second hero.')
  })

  await test.step('a color', async () => {
    await sectionLink(page, 'Look').click()
    await paperField(page).fill('#ffffff')
    const saving = await hold(page, '**/api/v1/settings', 'PUT')
    await page.getByRole('button', { name: 'Save the look' }).click()
    await paperField(page).fill('#fffdf8')
    saving.release()
    await expect(page.getByText('The pages of the site show it now')).toBeVisible()
    await expect(page.getByText('Not saved yet')).toBeVisible()
    await expect(paperField(page)).toHaveValue('#fffdf8')
  })

  await test.step('the next administrator finds nothing unsaved', async () => {
    const next = await product.anotherAdmin()
    await page.getByRole('link', { name: 'Profile' }).first().click()
    await page.getByRole('button', { name: 'Logout' }).click()
    await submitLogin(page, next)
    await sectionLink(page, 'Settings').click()
    await openGroup(page, 'Texts')
    await expect(heroField(page)).toHaveValue('A second hero.')
    await expect(page.getByText('unsaved change')).toBeHidden()
  })

  await test.step('a save that conflicts with another administrator’s shows their value beside the unsaved one', async () => {
    await heroField(page).fill('My hero.')
    await saveSettings(product, [{ path: 'texts.hero', value: 'Their hero.' }])
    await save(page)
    await expect(page.getByText('Currently: Their hero.')).toBeVisible()
    await expect(heroField(page)).toHaveValue('My hero.')
    await save(page)
    await expect(page.getByText('Your settings are saved')).toBeVisible()
    await expectVisitorReads(page, '/', 'My hero.')
  })
})

test('a refused color and a refused picture are explained, and discarding removes the message', async ({
  page,
  product,
}) => {
  await product.openAs(page, await product.admin(), '/dashboard/look')

  await test.step('a color', async () => {
    const fields = { 'look.colors.paper.light': 'Too loud.' }
    const json = { message: 'Refused.', code: 'invalid_input', fields }
    await page.route('**/api/v1/settings', (route) =>
      route.request().method() === 'PUT' ? route.fulfill({ status: 400, json }) : route.fallback(),
    )
    await paperField(page).fill('#ffffff')
    await page.getByRole('button', { name: 'Save the look' }).click()
    await expect(page.getByText('Too loud.')).toBeVisible()
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect(page.getByText('Too loud.')).toBeHidden()
  })

  await test.step('a picture, in the language of the dashboard', async () => {
    const uploading = page.waitForRequest('**/api/v1/pictures/logo')
    await page
      .getByRole('region', { name: 'Logo' })
      .locator('input')
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
    // The browser would send en-US, and the server would then use the account's language.
    expect((await uploading).headers()['accept-language']).toBe('en')
    await expect(page.getByText('This isn’t a PNG, JPEG or WebP picture.')).toBeVisible()
  })
})
