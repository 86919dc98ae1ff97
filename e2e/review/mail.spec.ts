import type { Page } from '@playwright/test'
import {
  changeAnnouncement,
  createAnnouncement,
  listAnnouncements,
  sendAnnouncement,
  setAnnouncementConsent,
  stopAnnouncement,
} from '#contract/dashboard/announcements.ts'
import { listMail } from '#contract/dashboard/mail.ts'
import { expectAccessibleExceptColors, expectAccessibleOnPhone } from '../checks/axe.ts'
import { keepToasts, toast } from '../steps/account-steps.ts'
import { openSection } from '../steps/dashboard-steps.ts'
import { hold } from '../support/intercept.ts'
import type { Participant } from '../support/people.ts'
import { expect, test, type Product } from '../support/product.ts'

const writeButton = (page: Page) => page.getByRole('button', { name: 'Write an announcement' })
const subjectField = (page: Page) => page.getByLabel('Subject')
const textField = (page: Page) => page.getByLabel('Text', { exact: true })
const testButton = (page: Page) => page.getByRole('button', { name: 'Send a test to me' })
const saveButton = (page: Page) => page.getByRole('button', { name: 'Save draft' })
const deleteButton = (page: Page) => page.getByRole('button', { name: 'Delete draft' })
const sendDialog = (page: Page) => page.getByRole('dialog', { name: 'Send the announcement?' })
const rateField = (page: Page) => sendDialog(page).getByLabel(/minute/)
const confirmSending = (page: Page) =>
  sendDialog(page).getByRole('button', { name: 'Send', exact: true }).click()
const closeWriter = (page: Page) => page.getByRole('button', { name: 'Close', exact: true }).click()
const announcement = (page: Page, subject: string) => page.getByRole('listitem').filter({ hasText: subject })
const editButton = (page: Page, subject: string) =>
  announcement(page, subject).getByRole('button', { name: 'Edit' })

/** Creates a participant who opted in to announcements. */
async function createReader(product: Product): Promise<void> {
  const { token } = await product.newParticipant()
  await product.callOrFail(setAnnouncementConsent, { token, body: { wanted: true } })
}

/** @returns the draft's id. */
async function createDraft(
  { callOrFail }: Product,
  { token }: Participant,
  subject: string,
): Promise<string> {
  const body = { subject, text: 'More later.' }
  return (await callOrFail(createAnnouncement, { token, body })).data.id
}

test('an administrator announces news, and a reader unsubscribes', async ({ page, product }) => {
  test.slow()
  const admin = await product.admin()
  const reader = await product.newParticipant()
  const consent = page.getByRole('checkbox', { name: /Email me announcements/ })

  await test.step('the reader opts in', async () => {
    await product.openAs(page, reader, '/profile')
    // Not `check`, which expects a change at once: the box changes when the server has stored the choice.
    await consent.click()
    await expect(consent).toBeChecked()
    await expect(page.getByText('We’ll email you announcements.')).toBeVisible()
  })

  await test.step('the administrator writes an announcement and sends a test', async () => {
    await product.storeSession(page, admin)
    await openSection(page, 'Mail')
    await expect(page).toHaveURL('/dashboard/mail')
    await page.getByRole('button', { name: 'Announcements' }).click()
    await expect(page.getByText(/participants? ha(s|ve) asked/)).toBeVisible()
    await writeButton(page).click()
    await subjectField(page).fill('Slots open again')
    await textField(page).fill('On Monday at noon.\n\nMore at https://news.example/slots.')
    await expect(page.getByText('https://news.example/slots', { exact: true })).toBeVisible()
    await expectAccessibleExceptColors(page, 'an announcement being written', 'main')
    await expectAccessibleOnPhone(page, 'an announcement being written', 'main')
    await testButton(page).click()
    // Polls, because emails about this administrator's logins in other tests may come first.
    await expect.poll(async () => (await product.mailFor(admin.user.email)).subject).toBe('Slots open again')
  })

  await test.step('the administrator sends it', async () => {
    await page.getByRole('button', { name: 'Send…' }).click()
    await expect(sendDialog(page)).toContainText(/It goes to \d+ participants?\./)
    await confirmSending(page)
    await expect(announcement(page, 'Slots open again')).toContainText('Done')
  })

  await test.step('the outbox names the reader, but shows no email', async () => {
    await page.getByRole('button', { name: 'Outbox' }).click()
    const outbox = page.getByRole('table', { name: 'Emails, newest first' })
    await expect(outbox.getByRole('row', { name: reader.user.username })).toContainText('Handed over')
    await expect(outbox).not.toContainText(reader.user.email)
    const { body } = await product.call(listMail, { token: admin.token, query: { to: reader.user.email } })
    expect(body.data).toEqual([expect.objectContaining({ template: 'announcement', state: 'sent' })])
  })

  for (const part of ['Sender', 'Suppressed'])
    await test.step(`the part “${part}” is accessible`, async () => {
      await page.getByRole('button', { name: part }).click()
      await expectAccessibleOnPhone(page, part, 'main')
    })

  await test.step('the reader unsubscribes by the link in the email', async () => {
    const mail = await product.mailFor(reader.user.email)
    expect(mail.subject).toBe('Slots open again')
    await product.storeSession(page, reader)
    await page.goto(/\/unsubscribe\?token=\S+/.exec(mail.text)?.[0] ?? '/')
    await expectAccessibleOnPhone(page, 'before unsubscribing', 'main')
    await page.getByRole('button', { name: 'Unsubscribe' }).click()
    await expect(page.getByRole('heading', { name: 'You’re unsubscribed' })).toBeVisible()
    await page.getByRole('link', { name: 'Go to your profile' }).click()
    await expect(consent).not.toBeChecked()
  })
})

test('continuing an announcement leaves another draft open, which can be saved', async ({
  page,
  product,
}) => {
  const admin = await product.admin()
  const { token } = admin
  await createReader(product)
  await createReader(product)
  const params = { id: await createDraft(product, admin, 'Stopped for now') }
  await product.callOrFail(sendAnnouncement, { token, params, body: { perMinute: 1 } }) // one email at most
  await product.callOrFail(stopAnnouncement, { token, params })

  await test.step('an unknown part in the address shows the outbox, which leads to the announcements', async () => {
    await product.openAs(page, admin, '/dashboard/mail?tab=constructor')
    await expect(page.getByRole('button', { name: 'Outbox' })).toHaveAttribute('aria-pressed', 'true')
    await page.getByRole('button', { name: 'Announcements' }).click()
    await expect(page).toHaveURL('/dashboard/mail?tab=announcements')
    await page.reload()
    await writeButton(page).click()
    await subjectField(page).fill('Half written')
  })

  await test.step('continues the stopped announcement', async () => {
    // A progress bar with its native appearance would not have the site's colors.
    const bar = announcement(page, 'Stopped for now').getByRole('progressbar')
    await expect(bar).toHaveCSS('appearance', 'none')
    await announcement(page, 'Stopped for now').getByRole('button').click()
    await rateField(page).fill('1000')
    await confirmSending(page)
    await expect(sendDialog(page)).toHaveCount(0)
    await expect(subjectField(page)).toHaveValue('Half written')
  })

  await test.step('a test email of the draft needs a text, and the complete draft can be saved', async () => {
    await testButton(page).click()
    await expect(textField(page)).toHaveAttribute('aria-invalid', 'true')
    await textField(page).fill('Soon.')
    const saving = await hold(page, '**/api/v1/announcements', 'POST')
    await saveButton(page).click()
    await expect(saveButton(page)).toBeDisabled()
    await expect(testButton(page)).toBeDisabled()
    saving.release()
    await expect(testButton(page)).toBeEnabled()
    await expect(textField(page)).not.toHaveAttribute('aria-invalid')
  })

  await deleteButton(page).click()
  await expect(testButton(page)).toHaveCount(0)
})

test('a late answer leaves another draft and its dialog open', async ({ page, product }) => {
  await createReader(product)
  const admin = await product.anotherAdmin()
  const sentId = await createDraft(product, admin, 'Sent late')
  await createDraft(product, admin, 'Another draft')
  const alert = page.getByRole('alert')
  await product.openAs(page, admin, '/dashboard/mail?tab=announcements')

  const sending = await test.step('sends a draft, and closes it before the answer', async () => {
    await editButton(page, 'Sent late').click()
    await expect(editButton(page, 'Another draft'), 'it would replace the open draft').toHaveCount(0)
    await page.getByRole('button', { name: 'Send…' }).click()
    const call = await hold(page, `**/announcements/${sentId}/send`, 'POST')
    await rateField(page).fill('1000')
    await confirmSending(page)
    await page.keyboard.press('Escape')
    await expect(sendDialog(page)).toHaveCount(0)
    await closeWriter(page)
    return call
  })

  await test.step('edits another draft, and announces two failures of the preview only once', async () => {
    await editButton(page, 'Another draft').click()
    await page.route('**/announcements/preview', (route) => route.abort())
    await subjectField(page).fill('Another draft, edited')
    await expect(alert).toContainText('We couldn’t load this.')
    // Marks the element: a screen reader would announce a new element again.
    await alert.evaluate((element) => element.setAttribute('data-first', ''))
    const subject = 'Another draft, edited twice'
    const failedAgain = page.waitForEvent('requestfailed', (request) =>
      Boolean(request.postData()?.includes(subject)),
    )
    await subjectField(page).fill(subject)
    await failedAgain
    await expect(alert).toHaveAttribute('data-first')
    await page.unroute('**/announcements/preview')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('main').getByText(subject, { exact: true })).toBeVisible()
    await expect(alert).toHaveCount(0)
  })

  await test.step('cannot save the draft, and the preview shows no error', async () => {
    await page.route('**/api/v1/announcements/**', (route) => route.abort())
    await keepToasts(page)
    await saveButton(page).click()
    await expect(toast(page, 'That didn’t work. Please try again.')).toBeVisible()
    await expect(saveButton(page)).toBeEnabled()
    await expect(alert).toHaveCount(0)
    await page.unroute('**/api/v1/announcements/**')
  })

  await test.step('the late answer leaves the dialog of the other draft open', async () => {
    await page.getByRole('button', { name: 'Send…' }).click()
    await rateField(page).fill('77')
    sending.release()
    await expect(announcement(page, 'Sent late')).not.toContainText('Draft')
    await expect(rateField(page)).toHaveValue('77')
    await page.keyboard.press('Escape')
    await expect(subjectField(page)).toHaveValue('Another draft, edited twice')
  })

  await test.step('a late deletion leaves a new draft open', async () => {
    const deletion = await hold(page, '**/announcements/*', 'DELETE')
    await deleteButton(page).click()
    await closeWriter(page)
    await writeButton(page).click()
    await subjectField(page).fill('A third draft')
    deletion.release()
    await expect(announcement(page, 'Another draft, edited twice')).toHaveCount(0)
    await expect(subjectField(page)).toHaveValue('A third draft')
  })
})

test('a draft that a colleague has changed meanwhile is neither overwritten nor sent', async ({
  page,
  product,
}) => {
  await createReader(product)
  const admin = await product.anotherAdmin()
  const params = { id: await createDraft(product, admin, 'Of two') }
  const change = (text: string) =>
    product.callOrFail(changeAnnouncement, { token: admin.token, params, body: { subject: 'Of two', text } })
  await product.openAs(page, admin, '/dashboard/mail?tab=announcements')
  await keepToasts(page)
  const refusal = toast(
    page,
    'Someone else has changed this draft since you opened it. Copy your text, close the draft, and open it again.',
  )
  await editButton(page, 'Of two').click()
  await textField(page).fill('Mine.')
  await saveButton(page).click()
  await expect(toast(page, 'The draft has been saved.')).toBeVisible()

  await test.step('confirming does not send the draft', async () => {
    await page.getByRole('button', { name: 'Send…' }).click()
    await expect(sendDialog(page)).toBeVisible()
    await change('Theirs.')
    await confirmSending(page)
    await expect(refusal).toHaveCount(1)
    await page.keyboard.press('Escape')
  })

  await test.step('saving does not overwrite the draft, and leaves one’s own text to be copied', async () => {
    await textField(page).fill('Mine again.')
    await saveButton(page).click()
    await expect(refusal).toHaveCount(2)
    await expect(textField(page)).toHaveValue('Mine again.')
    await closeWriter(page)
    await editButton(page, 'Of two').click()
    await expect(textField(page)).toHaveValue('Theirs.')
    await textField(page).fill('Both.')
    await saveButton(page).click()
    const texts = async () => {
      const { data } = await product.callOrFail(listAnnouncements, { token: admin.token })
      return data.map(({ text }) => text)
    }
    await expect.poll(texts).toContain('Both.')
  })
})
