import { serve } from '#server/testing/fakes/http-stub.ts'
import { expectAccessible, expectAccessibleExceptColors, expectAccessibleOnPhone } from '../checks/axe.ts'
import { openSection } from '../steps/dashboard-steps.ts'
import { hold } from '../support/intercept.ts'
import { expect, test } from '../support/product.ts'

test('an administrator adds, tests and removes a webhook, and gets the snippet of a widget', async ({
  page,
  product,
}) => {
  test.slow()
  const messageIds: unknown[] = []
  let status = 500
  const receiver = await serve((request, response) => {
    messageIds.push(request.headers['webhook-id'])
    response.writeHead(status).end(`the answer is ${status}`)
  })
  await product.storeSession(page, await product.admin())
  await openSection(page, 'Webhooks')
  await expect(page.getByText('There are no webhooks yet.')).toBeVisible()

  await test.step('adds a webhook, and reads its secret although the form was closed early', async () => {
    await page.getByRole('button', { name: 'Add a webhook' }).click()
    const form = page.getByRole('dialog', { name: 'Add a webhook' })
    const addButton = form.getByRole('button', { name: 'Add', exact: true })
    await form.getByLabel('Address').fill('http://example.org')
    await addButton.click()
    await expect(form.getByText('Enter an address that starts with https://')).toBeVisible()
    // Outside production, http:// is allowed for this computer.
    await form.getByLabel('Address').fill(`${receiver.url}/campaign`)
    const adding = await hold(page, '**/api/v1/webhooks', 'POST')
    await addButton.click()
    await page.keyboard.press('Escape')
    await expect(form).toHaveCount(0)
    adding.release()
    const secretDialog = page.getByRole('dialog', { name: 'The secret of the new webhook' })
    await expect(secretDialog.getByText(/^whsec_/)).toBeVisible()
    await expectAccessibleOnPhone(page, 'the secret', 'dialog[open]')
    await secretDialog.getByRole('button', { name: 'Done' }).click()
  })

  const log = page.getByRole('region', { name: 'Messages of the last 14 days' })
  await test.step('sends a test, which fails', async () => {
    await page.getByRole('button', { name: 'Send a test' }).click()
    await expect(log.getByText('Failed')).toBeVisible()
    await expect(log.getByText(/^1 attempt, answered 500 after \d+ ms$/)).toBeVisible()
    await log.getByText('Message and answer').click()
    await expect(log.getByText('the answer is 500')).toBeVisible()
    await expectAccessibleExceptColors(page, 'the log', 'main')
    await expectAccessibleOnPhone(page, 'the log', 'main')
  })

  await test.step('replays the message, which keeps its id', async () => {
    status = 200
    await log.getByRole('button', { name: 'Replay' }).click()
    await expect(log.getByText('Delivered')).toBeVisible()
    await expect(log.getByText(/^2 attempts, answered 200/)).toBeVisible()
    expect(messageIds).toEqual([expect.any(String), messageIds[0]])
  })

  await test.step('disables and removes the webhook', async () => {
    await page.getByRole('button', { name: 'Disable' }).click()
    await expect(page.getByText('Disabled', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Remove' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove this webhook?' })
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('There are no webhooks yet.')).toBeVisible()
  })
  await receiver.close()

  await test.step('the snippet of a widget is in the chosen language', async () => {
    const widgets = page.getByRole('region', { name: 'Widgets' })
    const snippet = widgets.getByRole('figure', { name: 'Slots left' })
    await expect(snippet).toContainText('/widget/slots?lang=en&amp;theme=auto" title="Slots left"')
    await widgets.getByLabel('Language').selectOption('Türkçe')
    await expect(snippet).toContainText('/widget/slots?lang=tr&amp;theme=auto" title="Kalan yer"')
    await expect(snippet.getByRole('link')).toHaveAttribute('href', '/widget/slots?lang=tr&theme=auto')
  })
})

test('another site shows the widgets in frames, without cookies', async ({ page, product }) => {
  const frame = (path: string) => `<iframe src="${product.url}${path}" title="${path}" height="400"></iframe>`
  const otherSite = await serve((_request, response) => {
    const body = frame('/widget/slots') + frame('/widget/leaderboard?rows=3&theme=dark')
    response.setHeader('content-type', 'text/html').end(body)
  })
  await page.goto(otherSite.url)
  const slots = page.frameLocator('iframe').first()
  await expect(slots.getByText(/^of [\d,]+ slots left$/)).toBeVisible()
  await expect(slots.getByRole('link')).toHaveAttribute('href', `${product.url}/airdrop`)
  await expect(page.frameLocator('iframe').nth(1).getByRole('heading')).toBeVisible()

  await page.goto('/widget/slots')
  await expectAccessible(page, 'slots')
  await page.goto('/widget/leaderboard')
  await expectAccessible(page, 'leaderboard')
  await page.goto('/widget/leaderboard?lang=ar')
  await expect(page.getByRole('link', { name: 'عرض اللوحة كاملة' })).toBeVisible()
  await expectAccessibleExceptColors(page, 'leaderboard in Arabic')
  expect(await page.context().cookies()).toEqual([])
  await otherSite.close()
})
