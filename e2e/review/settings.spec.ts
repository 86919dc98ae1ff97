import type { Page } from '@playwright/test'
import { changeSettings, settings } from '#contract/dashboard/settings.ts'
import { expectAccessibleEverywhere } from '../checks/axe.ts'
import { openSection } from '../steps/dashboard-steps.ts'
import { hold } from '../support/intercept.ts'
import { expect, test, type Product } from '../support/product.ts'

/**
 * Lets settings follow the campaign file again: other tests share the product. Slots that were added stay,
 * because they are a promise to those who have claimed.
 */
async function reset(product: Product) {
  const { token } = await product.admin()
  for (;;) {
    const { data } = (await product.call(settings, { token })).body
    const override = data.settings.find(
      ({ path, source }) => source === 'override' && path !== 'airdrop.slots',
    )
    if (!override) return
    const changes = [{ path: override.path, unset: true as const }]
    const { status } = await product.call(changeSettings, {
      token,
      body: { revision: data.revision, changes },
    })
    expect(status, override.path).toBe(200)
  }
}

test.afterEach(({ product }) => reset(product))

const openGroup = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Groups of settings' }).getByRole('button', { name }).click()
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()

test('an administrator changes settings with a live preview, corrects mistakes, and goes back to the file', async ({
  page,
  product,
}) => {
  const admin = await product.admin()
  await product.storeSession(page, admin)
  await openSection(page, 'Settings')
  await expect(page.getByRole('heading', { name: 'Token', exact: true })).toBeVisible()

  await openGroup(page, 'Texts')
  const hero = page.getByLabel('Opening paragraph')
  const fromFile = await hero.inputValue()
  await hero.fill('A hero from the dashboard.')
  const preview = page.frameLocator('iframe[title="Preview of Home"]')
  await expect(preview.getByText('A hero from the dashboard.')).toBeVisible()
  await openGroup(page, 'Slots and dates')
  await page.getByLabel('Slots', { exact: true }).fill('many')
  await save(page)
  const problems = page.getByRole('alert')
  await expect(problems).toBeFocused()
  await expect(problems).toContainText('One value needs your attention:')
  await expectAccessibleEverywhere(page, 'a refused setting', 'main')
  await openGroup(page, 'Texts')
  await problems.getByRole('button', { name: 'Slots: Must be a whole number.' }).click()
  const slots = page.getByLabel('Slots', { exact: true })
  await expect(slots).toBeFocused()
  await slots.fill('12000')
  await expect(page.getByText('2 unsaved changes')).toBeVisible()
  await save(page)
  await expect(page.getByText('Your settings are saved, and the site already shows them.')).toBeVisible()
  await expect(page.getByText(`Changed by ${admin.user.username}`)).toBeVisible()

  const visitor = await page.context().newPage()
  await visitor.goto('/')
  await expect(visitor.getByText('A hero from the dashboard.')).toBeVisible()
  await visitor.close()

  await openGroup(page, 'Texts')
  await page.getByRole('button', { name: 'Back to the file’s value' }).click()
  await expect(hero).toHaveValue(fromFile)
  await save(page)
  await expect(page.getByText('unsaved change')).toBeHidden()
  await expect(page.getByText(`Changed by ${admin.user.username}`)).toBeHidden()
})

test('lists are edited item by item, and unsaved changes survive visits to other sections, also to one that failed to load once', async ({
  page,
  product,
}) => {
  await product.storeSession(page, await product.admin())
  await page.goto('/dashboard/settings')
  await openGroup(page, 'Roadmap')
  await page.getByRole('button', { name: 'Add a phase' }).click()
  const added = page.getByRole('group', { name: 'No. 6' })
  await added.getByLabel('Phase').fill('The Sixth')
  await added.getByLabel('What it brings, one per line').fill('One thing\nAnother thing')
  const sections = page.getByRole('navigation', { name: 'Dashboard' })
  await expect(sections.getByRole('link', { name: 'Docs' })).toHaveAttribute('href', '/docs')

  await page.route(/\/assets\/people-|\/dashboard\/people$/, (route) => route.abort())
  const people = sections.getByRole('link', { name: 'People' })
  await people.click()
  await expect(page.getByText('We couldn’t load this screen')).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await page.goBack()
  await people.click()
  await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible()
  await sections.getByRole('link', { name: 'Settings' }).click()

  await openGroup(page, 'Roadmap')
  await page.getByRole('button', { name: 'Move no. 6 up' }).click()
  await expect(page.getByRole('group', { name: 'No. 5' }).getByLabel('Phase')).toHaveValue('The Sixth')
  const preview = page.frameLocator('iframe[title="Preview of Roadmap"]')
  await expect(preview.getByText('Another thing')).toBeVisible()
  await save(page)
  await expect(page.getByText('Your settings are saved, and the site already shows them.')).toBeVisible()
  const visitor = await page.context().newPage()
  await visitor.goto('/roadmap')
  await expect(visitor.getByText('The Sixth')).toBeVisible()
  await visitor.close()
})

test('what is edited while a save is pending remains unsaved, be it a setting or a color, but not for whoever logs in next', async ({
  page,
  product,
}) => {
  await product.storeSession(page, await product.anotherAdmin())
  await page.goto('/dashboard/settings')
  await openGroup(page, 'Texts')
  const hero = page.getByLabel('Opening paragraph')
  await hero.fill('A first hero.')
  const setting = await hold(page, '**/api/v1/settings', 'PUT')
  await save(page)
  await hero.fill('A second hero.')
  setting.release()
  await expect(page.getByText('Your settings are saved')).toBeVisible()
  await expect(page.getByText('1 unsaved change')).toBeVisible()
  await expect(hero).toHaveValue('A second hero.')

  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Look' }).click()
  const paper = page.getByLabel('Paper, light', { exact: true })
  await paper.fill('#ffffff')
  const color = await hold(page, '**/api/v1/settings', 'PUT')
  await page.getByRole('button', { name: 'Save the look' }).click()
  await paper.fill('#fffdf8')
  color.release()
  await expect(page.getByText('The pages of the site show it now')).toBeVisible()
  await expect(page.getByText('Not saved yet')).toBeVisible()
  await expect(paper).toHaveValue('#fffdf8')

  const next = await product.anotherAdmin()
  await page.getByRole('link', { name: 'Profile' }).first().click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByLabel('Email').fill(next.email)
  await page.getByLabel('Password', { exact: true }).fill(next.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Settings' }).click()
  await openGroup(page, 'Texts')
  await expect(hero).toHaveValue('A first hero.')
  await expect(page.getByText('unsaved change')).toBeHidden()
})

test('changes that are saved after the settings were left and opened again are no longer unsaved', async ({
  page,
  product,
}) => {
  await product.storeSession(page, await product.admin())
  await page.goto('/dashboard/settings')
  await openGroup(page, 'Texts')
  await page.getByLabel('Opening paragraph').fill('A hero that is saved late.')
  const saving = await hold(page, '**/api/v1/settings', 'PUT')
  await save(page)
  const sections = page.getByRole('navigation', { name: 'Dashboard' })
  await sections.getByRole('link', { name: 'Checks' }).click()
  await sections.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByText('1 unsaved change')).toBeVisible()
  saving.release()
  await expect(page.getByText('Your settings are saved')).toBeVisible()
  await expect(page.getByText('unsaved change')).toBeHidden()
  await openGroup(page, 'Texts')
  await expect(page.getByLabel('Opening paragraph')).toHaveValue('A hero that is saved late.')
})

test('discarding the changes of the look also removes why a color was refused', async ({ page, product }) => {
  await product.storeSession(page, await product.admin())
  await page.goto('/dashboard/look')
  const json = {
    message: 'Refused.',
    code: 'invalid_input',
    fields: { 'look.colors.paper.light': 'Too loud.' },
  }
  await page.route('**/api/v1/settings', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 400, json }) : route.fallback(),
  )
  await page.getByLabel('Paper, light', { exact: true }).fill('#ffffff')
  await page.getByRole('button', { name: 'Save the look' }).click()
  await expect(page.getByText('Too loud.')).toBeVisible()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText('Too loud.')).toBeHidden()
})

test('says in how many languages a text is, and that a reworded one is the same in all of them', async ({
  page,
  product,
}) => {
  const admin = await product.admin()
  const { token } = admin
  const { revision } = (await product.call(settings, { token })).body.data
  const value = { en: 'Read this.', es: 'Lee esto.', tr: 'Bunu okuyun.' }
  const changes = [{ path: 'texts.risk', value }]
  expect((await product.call(changeSettings, { token, body: { revision, changes } })).status).toBe(200)
  await product.storeSession(page, admin)
  await page.goto('/dashboard/settings')
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
