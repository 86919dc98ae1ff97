import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { rejectClaim } from '#contract/dashboard/review.ts'
import * as contract from '#contract/claims/claims.ts'
import type { Locale } from '#contract/locales.ts'
import { escapeHtml } from '#server/platform/html.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { reallocateSlots } from '../slots/reallocate-slots.ts'
import { joinWaitingList } from '../slots/waiting-list.ts'
import { testApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { MAIL_CONTEXT } from '#server/testing/builders/mail-context.ts'
import { campaignWith } from '#server/testing/races.ts'
import { textsIn } from '#server/messages/catalogue.ts'
import { render } from '../mail/templates.ts'
import { reasonOf } from '../signals/signal-texts.ts'
import { appeal } from './appeal.ts'
import { claimMails } from './mail.ts'
import { editClaim } from './submission/edit-claim.ts'
import { holdClaim } from './decisions/hold-claim.ts'
import { submitProof } from './submission/submit-proof.ts'

/** A campaign whose only slot Ann has claimed; Ben has no claim. */
async function setUp(t: TestContext) {
  const api = await testApi(t, { campaign: campaignWith({ slots: 1 }) })
  const { deps, db } = api
  const [ann, ben] = await createUsers(db, deps.campaign.id, 2)
  const [adm] = await createUsers(db, deps.campaign.id, 1, { role: 'admin' })
  const { _id: id } = await submitProof(deps, ann.id, freshProof())
  const subjects = async (to = ann.email) => (await api.mailsTo(to)).map(({ subject }) => subject)
  return { ...api, ann, ben, adm, reviewer: reviewerOn(deps, adm), id, subjects }
}

const { campaign } = MAIL_CONTEXT
const SUBJECTS = {
  received: `We received your claim for ${campaign.name}`,
  held: `Your claim for ${campaign.name} is on hold`,
  approved: `Your claim for ${campaign.name} is approved`,
  rejected: `Your claim for ${campaign.name} was rejected`,
  upheld: `We’ve decided your appeal for ${campaign.name}`,
  reopened: `Your claim for ${campaign.name} is being reviewed again`,
  freed: `Your slot in ${campaign.name} was released`,
  reserved: `A slot in ${campaign.name} is reserved for you`,
}

test('mails each event of a claim once, despite repeats and refusals', async (t) => {
  const { deps, db, ann, ben, reviewer, id, subjects } = await setUp(t)
  const expected = [SUBJECTS.received]
  /** Asserts that only these emails have been queued since the last call. */
  const assertMailed = async (...added: string[]) => {
    expected.push(...added)
    assert.deepEqual(await subjects(), expected)
  }
  const hold = (...reasons: string[]) => inTransaction(db, (tx) => holdClaim(tx, { claimId: id, reasons }))
  const sendAppeal = (text: string) => appeal(deps, { userId: ann.id, claimId: id, text })
  await assertMailed()
  await assert.rejects(submitProof(deps, ann.id, freshProof()), { code: 'already_claimed' })
  await editClaim(deps, { userId: ann.id, claimId: id, typed: freshProof() })
  await assertMailed()
  await hold('It was quick.')
  await hold('It was quick.', 'Others share the network.')
  await assertMailed(SUBJECTS.held)
  await sendAppeal('I type fast.')
  await assertMailed()
  await reviewer.approve(id, '2')
  await reviewer.approve(id)
  await assert.rejects(reviewer.reject(id), { code: 'claim_approved' })
  await assertMailed(SUBJECTS.approved)
  await reviewer.undo(id)
  await assert.rejects(reviewer.undo(id), { code: 'nothing_to_undo' })
  await assertMailed(SUBJECTS.reopened)
  await reviewer.reject(id, '', 'post_missing', '2')
  await assert.rejects(reviewer.reject(id), { code: 'claim_rejected' })
  await assert.rejects(reviewer.approve(id, '2'), { code: 'claim_rejected' })
  await assertMailed(SUBJECTS.rejected)
  // The first decision answered this attempt's only appeal.
  await assert.rejects(sendAppeal('Please.'), { code: 'already_appealed' })

  await joinWaitingList(deps, ben.id)
  await sql`update slots set until = now()`.execute(db)
  await Promise.all([1, 2, 3].map(() => reallocateSlots(deps)))
  await assertMailed(SUBJECTS.freed)
  assert.deepEqual(await subjects(ben.email), [SUBJECTS.reserved])
})

test('mails the answer to an appeal: the rejection stands, or the claim is being reviewed again', async (t) => {
  const { deps, db, ann, reviewer, id, mailsTo, subjects } = await setUp(t)
  await reviewer.reject(id)
  await appeal(deps, { userId: ann.id, claimId: id, text: 'Here it is.' })
  await reviewer.reject(id, 'It is of another day.', 'post_incomplete')
  await assert.rejects(reviewer.reject(id), { code: 'claim_rejected' })
  const expected = [SUBJECTS.received, SUBJECTS.rejected, SUBJECTS.upheld]
  assert.deepEqual(await subjects(), expected)
  const { text } = (await mailsTo(ann.email)).at(-1) ?? assert.fail()
  const reason = 'The post is missing something the task asks for. It is of another day.'
  assert.match(text, new RegExp(`The rejection stands[^]*${RegExp.escape(reason)}`))
  const { _id: corrected } = await submitProof(deps, ann.id, freshProof())
  await reviewer.reject(corrected)
  await appeal(deps, { userId: ann.id, claimId: corrected, text: 'And here.' })
  await reviewer.undo(corrected)
  await reviewer.approve(corrected)
  expected.push(SUBJECTS.received, SUBJECTS.rejected, SUBJECTS.reopened, SUBJECTS.approved)
  assert.deepEqual(await subjects(), expected)
  const unanswered = db.selectFrom('appeals').selectAll().where('answered_at', 'is', null)
  assert.deepEqual(await unanswered.execute(), [])
})

test('queues each email in the transaction that causes it', async (t) => {
  const { deps, db, ann, ben, reviewer, id } = await setUp(t)
  await inTransaction(db, (tx) => holdClaim(tx, { claimId: id, reasons: ['It was quick.'] }))
  await reviewer.approve(id)
  await reviewer.undo(id)
  await reviewer.reject(id)
  await appeal(deps, { userId: ann.id, claimId: id, text: 'Why?' })
  await reviewer.reject(id)
  await joinWaitingList(deps, ben.id)
  await sql`update slots set until = now()`.execute(db)
  await reallocateSlots(deps)
  // xmin is the transaction that wrote a row.
  const { rows } = await sql<{ what: string; templates: string[] }>`
    select what, array(select payload->>'template' from jobs j where kind = 'mail' and j.xmin = e.xmin order by id) as templates
    from claim_events e order by at, id`.execute(db)
  const mailed = rows.map(({ what, templates }) => [what, ...templates])
  assert.deepEqual(mailed, [
    ['received', 'claim-received'],
    ['held', 'claim-held'],
    ['approved', 'claim-approved'],
    ['reopened', 'claim-reopened'],
    ['rejected', 'claim-rejected'],
    ['appealed'],
    ['rejected', 'claim-rejection-upheld'],
    ['slot_freed', 'slot-freed', 'slot-reserved'],
  ])
})

test('an expired slot is not said to allow another claim after the last attempt', async (t) => {
  const { deps, db, ann, reviewer, id, mailsTo } = await setUp(t)
  const expire = async () => {
    await sql`update slots set until = now() where until is not null`.execute(db)
    await reallocateSlots(deps)
    return (await mailsTo(ann.email)).at(-1) ?? assert.fail()
  }
  await reviewer.reject(id)
  const first = await expire()
  assert.equal(first.subject, SUBJECTS.freed)
  assert.match(first.text, /You can claim again[^]*\/airdrop/)
  const { _id: last } = await submitProof(deps, ann.id, freshProof())
  await db.updateTable('claims').set({ attempt: contract.MAX_ATTEMPTS }).where('id', '=', last).execute()
  await reviewer.reject(last)
  const second = await expire()
  assert.equal(second.subject, SUBJECTS.freed)
  assert.doesNotMatch(second.text, /You can claim again|\/airdrop/)
  assert.match(second.text, /\/profile/)
})

const MARKUP = [
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '"\'><a href="https://evil.example">Log in</a>&amp;&lt;',
  '</p></div></body><!--',
  "=cmd|' /C calc'!A0 @SUM(1+1) +1 -1",
  'one\ntwo\n\nthree',
  'مرحبا שלום 你好 👩‍🚀 e\u0301',
  '${username} {{username}} %s 123456 \\u003cb\\u003e',
]

test("sends the reviewer's reason verbatim in the text part and escaped in the HTML part", async (t) => {
  const { call, adm, ann, reviewer, id, mailsTo } = await setUp(t)
  for (const text of MARKUP) {
    const rejecting = { token: adm.token, params: { claimId: id }, body: { reason: 'other', text } }
    assert.equal((await call(rejectClaim, rejecting)).status, 200, text)
    const mail = (await mailsTo(ann.email)).at(-1) ?? assert.fail()
    assert.ok(mail.text.includes(`\n\n${text}\n\n`), text)
    assert.ok(mail.html.includes(`<p>${escapeHtml(text)}</p>`), text)
    // The text adds no tags to the template's.
    const tags = mail.html.match(/<[a-z!/][^>]*>/gi)?.map((tag) => tag.replace(/[ >].*$/s, ''))
    assert.deepEqual([...new Set(tags)].toSorted().join(' '), TAGS, text)
    assert.equal(mail.html.match(/href="[^"]*"/g)?.length, 1, 'only the link to our site')
    assert.equal(mail.subject.includes('\n'), false)
    await reviewer.undo(id)
  }
})

const TAGS = '<!doctype </a </body </div </head </html </p </title <a <body <div <head <html <meta <p <title'

const HOSTILE =
  '\u202e \u2066 \u200e \u0000 \u0007 \u001b[2J \r \t \u0085 \u00ad \ufeff \u{e0041} \ud800 \udfff'.split(' ')

test('refuses text with bidirectional, invisible or control characters, and mails nothing', async (t) => {
  const { call, db, adm, ann, reviewer, id, subjects } = await setUp(t)
  const before = await subjects()
  for (const character of HOSTILE) {
    const text = `a${character}b`
    const rejecting = { token: adm.token, params: { claimId: id }, body: { reason: 'other', text } }
    const { status, body } = await call(rejectClaim, rejecting)
    assert.deepEqual([status, Object.keys(body.fields ?? {})], [400, ['text']], JSON.stringify(text))
  }
  assert.deepEqual(await subjects(), before)
  await reviewer.reject(id)
  for (const character of HOSTILE) {
    const text = `a${character}b`
    const appealing = { token: ann.token, params: { taskId: id }, body: { text } }
    const { status, body } = await call(contract.appeal, appealing)
    assert.deepEqual([status, Object.keys(body.fields ?? {})], [400, ['text']], JSON.stringify(text))
  }
  assert.equal((await db.selectFrom('appeals').selectAll().execute()).length, 0)
})

test('reasons, points and links come in the reader’s language; an email queued by an earlier version is sent as it is', () => {
  const read = (template: string, values: Record<string, string>, locale: Locale) => {
    const queued = { template, to: 'al@mail.example', values: { username: 'al', ...values } }
    return render(queued, claimMails, MAIL_CONTEXT, locale).text
  }
  const counts = [1, 2, 1_000]
  const signals = counts.map((others) => ({ kind: 'same-text', facts: { others } }))
  const held = { reasons: 'As it was.', signals: JSON.stringify(signals) }
  for (const locale of ['en', 'es', 'ar'] as const) {
    const text = read('claim-held', held, locale)
    for (const others of counts)
      assert.ok(text.includes(reasonOf('same-text', { others }, locale)), `${locale}: ${text}`)
    assert.ok(!text.includes('As it was.'))
  }
  assert.match(read('claim-held', { reasons: 'As it was.' }, 'es'), /\n\nAs it was\.\n\n/)
  const rejected = { reason: 'English.', code: 'post_missing', note: 'Ben wrote this.', next: 'last' }
  const why = `${textsIn('es').REJECTION_REASONS.post_missing} Ben wrote this.`
  assert.ok(read('claim-rejected', rejected, 'es').includes(why))
  assert.match(read('claim-rejected', { ...rejected, code: 'other' }, 'es'), /\n\nBen wrote this\.\n\n/)
  assert.match(read('claim-rejected', { ...rejected, code: '__proto__' }, 'es'), /\n\nBen wrote this\.\n\n/)
  assert.match(read('claim-rejection-upheld', { reason: 'English.' }, 'es'), /\n\nEnglish\.\n\n/)
  const approved = { pfPoints: '5000', plsPoints: '1' }
  assert.match(read('claim-approved', approved, 'en'), /5,000 PF points and 1 PLS point\./)
  assert.match(read('claim-approved', approved, 'es'), /5,000/)
  assert.match(read('claim-approved', approved, 'es'), /: https:\/\/site\.example\/es\/profile\n/)
  assert.match(read('claim-approved', approved, 'ar'), /:\nhttps:\/\/site\.example\/ar\/profile\n/)
})
