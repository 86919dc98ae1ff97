import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '#contract/dashboard/announcements.ts'
import type { ReplyOf } from '#contract/protocol/endpoint.ts'
import { textsIn } from '#server/messages/catalogue.ts'
import { announcementSetup, headerOf, TEXT } from '#server/testing/builders/announcements.ts'
import { MAIL_CONTEXT } from '#server/testing/deps.ts'
import { contextIn } from '../mail/templates.ts'
import { composeAnnouncement, composeParagraphs } from './mail.ts'

test('a draft can be saved, changed and deleted', async (t) => {
  const { call, token, write, readAnnouncement } = await announcementSetup(t, 2)
  const { id, state } = await write()
  assert.equal(state, 'draft')
  const body = { subject: 'Better news', text: 'Short.' }
  await call(contract.changeAnnouncement, { token, params: { id }, body })
  assert.partialDeepStrictEqual(await readAnnouncement(id), body)
  await call(contract.deleteAnnouncement, { token, params: { id } })
  const list = await call(contract.listAnnouncements, { token })
  assert.deepEqual(list.body, { data: [], subscribers: 2 })
})

test('no administrator overwrites, deletes or sends a draft changed meanwhile', async (t) => {
  const { call, token, pool, write, readAnnouncement } = await announcementSetup(t, 1)
  const { id, subject, updatedAt: seen } = await write()
  const params = { id }
  const save = (text: string, updatedAt?: string) =>
    call(contract.changeAnnouncement, { token, params, body: { subject, text, updatedAt } })
  // As if it had been changed before: neither `seen` nor `updatedAt` is the time of the next change.
  await pool.query(`update announcements set updated_at = updated_at - interval '1 second'`)
  const { updatedAt } = await readAnnouncement(id)
  assert.equal((await save('Theirs', updatedAt)).status, 200)
  assert.equal((await save('Theirs', updatedAt)).status, 200, 'the answer was lost, so it is saved again')
  for (const before of [seen, updatedAt]) {
    assert.equal((await save('Mine', before)).body.code, 'announcement_changed')
    const deleted = await call(contract.deleteAnnouncement, { token, params, query: { updatedAt: before } })
    assert.equal(deleted.body.code, 'announcement_changed')
    const body = { perMinute: 60, updatedAt: before }
    const sent = await call(contract.sendAnnouncement, { token, params, body })
    assert.equal(sent.body.code, 'announcement_changed')
  }
  const theirs = await readAnnouncement(id)
  assert.partialDeepStrictEqual(theirs, { text: 'Theirs', state: 'draft' })
  const body = { perMinute: 60, updatedAt: theirs.updatedAt }
  assert.equal((await call(contract.sendAnnouncement, { token, params, body })).status, 200)
})

test('a preview shows the email in HTML and as text, in the language of the administrator', async (t) => {
  const { call, token, email, pool } = await announcementSetup(t, 0)
  const readPreview = async () => {
    const input = { token, body: { subject: 'News', text: TEXT } }
    const { body } = await call(contract.previewAnnouncement, input)
    return body.data as ReplyOf<typeof contract.previewAnnouncement>['data']
  }
  const preview = await readPreview()
  const paragraph = /<p dir="auto" style="white-space:pre-line">Slots open again\.\nOn Monday\.<\/p>/
  assert.match(preview.html, paragraph)
  assert.match(preview.text, /^Hello .*,\n\nSlots open again\.\nOn Monday\.\n\nSee https/)
  assert.equal(preview.paragraphs.length, 6, 'a greeting, two paragraphs of text, and three of the footer')

  await pool.query(`update users set locale = 'es' where email = $1`, [email])
  const spanish = await readPreview()
  const { unsubscribe } = textsIn('es').ANNOUNCEMENT_WORDS
  assert.match(spanish.html, new RegExp(`>${unsubscribe}<`))
  assert.equal(spanish.paragraphs.at(-1)?.[0]?.text, unsubscribe)
})

test('an announcement has the look’s colors and logo', () => {
  const logo = `/brand/${'a'.repeat(64)}-192x96.webp`
  const look = { logo, colors: { paper: { light: '#ffffff' } } }
  const context = { ...MAIL_CONTEXT, campaign: { ...MAIL_CONTEXT.campaign, look } }
  const { html } = composeAnnouncement({ subject: 'News', text: TEXT }, contextIn(context, 'en'))
  assert.match(html, /background:#ffffff;/)
  assert.ok(html.includes(`<img src="https://site.example${logo.replace('webp', 'png')}"`), html)
})

test('an administrator can send themselves a draft as a test', async (t) => {
  const { call, token, write, readAnnouncement, email, sendOtherMail, smtp } = await announcementSetup(t, 2)
  const { id } = await write('Better news')
  assert.equal((await call(contract.testAnnouncement, { token, params: { id } })).status, 200)
  assert.equal(await sendOtherMail(), 1, 'the test email')
  const letters = smtp.letters.map((letter) => ({ to: letter.to, subject: headerOf(letter, 'subject') }))
  assert.deepEqual(letters, [{ to: [email], subject: 'Better news' }])
  assert.equal((await readAnnouncement(id)).state, 'draft')
})

test('refuses an invalid subject or text', async (t) => {
  const { call, token } = await announcementSetup(t, 0)
  const save = async (subject: string, text: string) => {
    const { status, body } = await call(contract.createAnnouncement, { token, body: { subject, text } })
    return status === 200 ? ['saved'] : Object.keys(body.fields ?? {}).toSorted()
  }
  const max = contract.MAX_ANNOUNCEMENT_LENGTH
  assert.deepEqual(await save('x'.repeat(max.subject), 'y'.repeat(max.text)), ['saved'])
  assert.deepEqual(await save(' ', ' '), ['subject', 'text'])
  assert.deepEqual(await save('x'.repeat(max.subject + 1), 'y'.repeat(max.text + 1)), ['subject', 'text'])
  assert.deepEqual(await save('One\nBcc: all@mail.example', 'Text'), ['subject'])
  assert.deepEqual(await save('Fine', 'Text \u202e reversed'), ['text'])
})

test('only https addresses become links, without trailing punctuation', () => {
  const context = contextIn(MAIL_CONTEXT, 'en')
  const linksIn = (text: string) => {
    const paragraphs = composeParagraphs({ text, username: 'al', user: 'u' }, context)
    // Without the greeting and the three paragraphs of the footer.
    return paragraphs.slice(1, -3).flatMap((runs) => runs.flatMap(({ link }) => link ?? []))
  }
  assert.deepEqual(linksIn('See https://a.example/x?y=1#z, (https://b.example) “https://c.example/”.'), [
    'https://a.example/x?y=1#z',
    'https://b.example',
    'https://c.example/',
  ])
  assert.deepEqual(linksIn('javascript:alert(1) http://a.example data:text/html,x <https://a.example">'), [
    'https://a.example',
  ])
})
