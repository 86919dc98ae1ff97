import {
  createAnnouncement,
  sendAnnouncement,
  setAnnouncementConsent,
  stopAnnouncement,
} from '#contract/dashboard/announcements.ts'
import { listMail } from '#contract/dashboard/mail.ts'
import { expectAccessibleEverywhere } from '../checks/axe.ts'
import { keepToasts, toast } from '../steps/account-steps.ts'
import { openSection } from '../steps/dashboard-steps.ts'
import { callOrFail } from '../support/caller.ts'
import { hold } from '../support/intercept.ts'
import { expect, test } from '../support/product.ts'

test('an administrator announces news, and a reader unsubscribes with one click', async ({
  browser,
  page,
  product,
}) => {
  test.slow()
  const admin = await product.admin()
  const reader = await product.newParticipant()
  const readerPage = await product.pageOf(browser, reader)
  await readerPage.goto('/profile')
  const choice = readerPage.getByRole('checkbox', { name: /Email me announcements/ })
  // `check` expects the box to change at once, but it waits until the server has stored the choice.
  await choice.click()
  await expect(choice).toBeChecked()
  await expect(readerPage.getByText('We’ll email you announcements.')).toBeVisible()

  await product.storeSession(page, admin)
  await openSection(page, 'Mail')
  await expect(page).toHaveURL('/dashboard/mail')
  await page.getByRole('button', { name: 'Announcements' }).click()
  await expect(page.getByText(/participants? ha(s|ve) asked/)).toBeVisible()
  await page.getByRole('button', { name: 'Write an announcement' }).click()
  await page.getByLabel('Subject').fill('Slots open again')
  await page
    .getByLabel('Text', { exact: true })
    .fill('On Monday at noon.\n\nMore at https://news.example/slots.')
  await expect(page.getByText('https://news.example/slots', { exact: true })).toBeVisible()
  await expectAccessibleEverywhere(page, 'an announcement being written', 'main')

  await page.getByRole('button', { name: 'Send a test to me' }).click()
  // Emails about logins in other tests may come first.
  await expect.poll(async () => (await product.mailFor(admin.user.email)).subject).toBe('Slots open again')
  await page.getByRole('button', { name: 'Send…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send the announcement?' })
  await expect(dialog).toContainText(/It goes to \d+ participants?\./)
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  const sent = page.getByRole('listitem').filter({ hasText: 'Slots open again' })
  await expect(sent).toContainText('Done')
  const mail = await product.mailFor(reader.user.email)
  expect(mail.subject).toBe('Slots open again')
  await readerPage.goto(/\/unsubscribe\?token=\S+/.exec(mail.text)?.[0] ?? '/')
  await expectAccessibleEverywhere(readerPage, 'before unsubscribing')
  await readerPage.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(readerPage.getByRole('heading', { name: 'You’re unsubscribed' })).toBeVisible()
  await readerPage.getByRole('link', { name: 'Go to your profile' }).click()
  await expect(choice).not.toBeChecked()
  await readerPage.close()

  await page.getByRole('button', { name: 'Outbox' }).click()
  const outbox = page.getByRole('table', { name: 'Emails, newest first' })
  await expect(outbox.getByRole('row', { name: reader.user.username })).toContainText('Handed over')
  await expect(outbox).not.toContainText(reader.user.email)
  const { body } = await product.call(listMail, { token: admin.token, query: { to: reader.user.email } })
  expect(body.data.map(({ template, state }) => [template, state])).toEqual([['announcement', 'sent']])
  await expectAccessibleEverywhere(page, 'the outbox', 'main')
  for (const part of ['Sender', 'Suppressed']) {
    await page.getByRole('button', { name: part }).click()
    await expectAccessibleEverywhere(page, part, 'main')
  }
})

test('a draft stays as it is while it is being saved, and while a stopped announcement is continued; an unknown part in the address shows the outbox', async ({
  page,
  product,
}) => {
  for (const { token } of [await product.newParticipant(), await product.newParticipant()])
    await callOrFail(product.url, setAnnouncementConsent, { token, body: { wanted: true } })
  const admin = await product.admin()
  const { token } = admin
  const content = { subject: 'Stopped for now', text: 'More later.' }
  const { data } = await callOrFail(product.url, createAnnouncement, { token, body: content })
  const params = { id: data.id }
  await callOrFail(product.url, sendAnnouncement, { token, params, body: { perMinute: 1 } })
  await callOrFail(product.url, stopAnnouncement, { token, params })

  await product.storeSession(page, admin)
  await page.goto('/dashboard/mail?tab=constructor')
  await expect(page.getByRole('button', { name: 'Outbox' })).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'Announcements' }).click()
  await expect(page).toHaveURL('/dashboard/mail?tab=announcements')
  await page.reload()
  await page.getByRole('button', { name: 'Write an announcement' }).click()
  const subject = page.getByLabel('Subject')
  await subject.fill('Half written')
  await page.getByRole('listitem').filter({ hasText: content.subject }).getByRole('button').click()
  const dialog = page.getByRole('dialog', { name: 'Send the announcement?' })
  await dialog.getByLabel(/minute/).fill('1000')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await expect(subject).toHaveValue('Half written')

  const text = page.getByLabel('Text', { exact: true })
  const save = page.getByRole('button', { name: 'Save draft' })
  const sendTest = page.getByRole('button', { name: 'Send a test to me' })
  await sendTest.click()
  await expect(text).toHaveAttribute('aria-invalid', 'true')
  await text.fill('Soon.')
  const call = await hold(page, '**/api/v1/announcements', 'POST')
  await save.click()
  await expect(save).toBeDisabled()
  await expect(sendTest).toBeDisabled()
  call.release()
  await expect(sendTest).toBeEnabled()
  await expect(text, 'no longer refused').not.toHaveAttribute('aria-invalid')
  await page.getByRole('button', { name: 'Delete draft' }).click()
  await expect(sendTest).toHaveCount(0)
})

test('a send or a deletion that is answered late leaves another draft and its dialog open; a preview that cannot be loaded says so once', async ({
  page,
  product,
}) => {
  const { token } = await product.newParticipant()
  await callOrFail(product.url, setAnnouncementConsent, { token, body: { wanted: true } })
  const admin = await product.anotherAdmin()
  const create = async (body: { subject: string; text: string }) =>
    (await callOrFail(product.url, createAnnouncement, { token: admin.token, body })).data
  const first = await create({ subject: 'The first of two', text: 'Sent late.' })
  await create({ subject: 'Another draft', text: 'Not sent.' })
  await product.storeSession(page, admin)
  await page.goto('/dashboard/mail?tab=announcements')
  const item = (subject: string) => page.getByRole('listitem').filter({ hasText: subject })
  const edit = (subject: string) => item(subject).getByRole('button', { name: 'Edit' })
  const dialog = page.getByRole('dialog', { name: 'Send the announcement?' })

  await edit('The first of two').click()
  await expect(edit('Another draft'), 'would replace what is in the writer').toHaveCount(0)
  await page.getByRole('button', { name: 'Send…' }).click()
  const call = await hold(page, `**/announcements/${first.id}/send`, 'POST')
  await dialog.getByLabel(/minute/).fill('1000')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Close', exact: true }).click()

  await edit('Another draft').click()
  const subject = page.getByLabel('Subject')
  await page.route('**/announcements/preview', (route) => route.abort())
  await subject.fill('Another draft, edited')
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('We couldn’t load this.')
  // A screen reader announces a new element again.
  await alert.evaluate((element) => element.setAttribute('data-first', ''))
  const failedAgain = page.waitForEvent('requestfailed')
  await subject.fill('Another draft, edited twice')
  await failedAgain
  await expect(alert).toHaveAttribute('data-first')
  await page.unroute('**/announcements/preview')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('main').getByText('Another draft, edited twice', { exact: true })).toBeVisible()
  await expect(alert).toHaveCount(0)

  await page.route('**/api/v1/announcements/**', (route) => route.abort())
  await keepToasts(page)
  const save = page.getByRole('button', { name: 'Save draft' })
  await save.click()
  await expect(toast(page, 'That didn’t work. Please try again.')).toBeVisible()
  await expect(save).toBeEnabled()
  await expect(alert, 'nothing about the preview has changed').toHaveCount(0)
  await page.unroute('**/api/v1/announcements/**')
  await page.getByRole('button', { name: 'Send…' }).click()
  const rate = dialog.getByLabel(/minute/)
  await rate.fill('77')
  call.release()
  await expect(item('The first of two')).not.toContainText('Draft')
  await expect(rate).toHaveValue('77')
  await page.keyboard.press('Escape')
  await expect(subject).toHaveValue('Another draft, edited twice')

  const deletion = await hold(page, '**/announcements/*', 'DELETE')
  await page.getByRole('button', { name: 'Delete draft' }).click()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('button', { name: 'Write an announcement' }).click()
  await subject.fill('A third one')
  deletion.release()
  await expect(item('Another draft, edited twice')).toHaveCount(0)
  await expect(subject).toHaveValue('A third one')
})
