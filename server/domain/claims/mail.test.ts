import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
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
import { expireAll, rejectKeepingSlots } from '#server/testing/builders/slots.ts'
import { MAIL_CONTEXT } from '#server/testing/deps.ts'
import { campaignWith } from '#server/testing/database/races.ts'
import { textsIn } from '#server/messages/catalogue.ts'
import { render } from '../mail/templates.ts'
import { reasonOf } from '../signals/signal-texts.ts'
import { appeal } from './appeal.ts'
import { claimMails } from './mail.ts'
import { editClaim } from './submission/edit-claim.ts'
import { holdClaim } from './decisions/hold-claim.ts'
import { recordSeenRevisions } from './decisions/optimistic-lock.ts'
import { submitProof } from './submission/submit-proof.ts'

const { campaign } = MAIL_CONTEXT
/** In the order in which the first test causes these emails. */
const SUBJECTS = {
  received: `We received your claim for ${campaign.name}`,
  held: `Your claim for ${campaign.name} is on hold`,
  approved: `Your claim for ${campaign.name} is approved`,
  reopened: `Your claim for ${campaign.name} is being reviewed again`,
  rejected: `Your claim for ${campaign.name} was rejected`,
  upheld: `We’ve decided your appeal for ${campaign.name}`,
  freed: `Your slot in ${campaign.name} was released`,
  reserved: `A slot in ${campaign.name} is reserved for you`,
}

/** Ann has claimed the campaign's only slot. Ben has no claim. */
async function setUp(t: TestContext) {
  const api = await testApi(t, { campaign: campaignWith({ slots: 1 }) })
  const { deps, db, mailsTo } = api
  const [ann, ben] = await createUsers(db, deps.campaign.id, 2)
  const [adm] = await createUsers(db, deps.campaign.id, 1, { role: 'admin' })
  const { _id: id } = await submitProof(deps, ann.id, freshProof())
  const lastMail = async () => (await mailsTo(ann.email)).at(-1) ?? assert.fail()
  return { ...api, ann, ben, adm, reviewer: reviewerOn(deps, adm), id, lastMail }
}

test('each email is queued once, by the transaction that causes it, and not for repeats and refusals', async (t) => {
  const { deps, db, ann, ben, adm, reviewer, id, mailsTo } = await setUp(t)
  const hold = (...reasons: string[]) => inTransaction(db, (tx) => holdClaim(tx, { claimId: id, reasons }))
  const sendAppeal = () => appeal(deps, { userId: ann.id, claimId: id, text: 'Please look again.' })
  await assert.rejects(submitProof(deps, ann.id, freshProof()), { code: 'already_claimed' })
  await editClaim(deps, { userId: ann.id, claimId: id, proof: freshProof() })
  // Only a reviewer who has seen the edited claim may decide on it.
  await recordSeenRevisions(db, adm.id, [{ claimId: id, revision: 2 }])
  await hold('It was quick.')
  await hold('It was quick.', 'Others share the network.') // causes no second email
  for (const _call of ['first', 'second']) await reviewer.approve(id)
  await assert.rejects(reviewer.reject(id), { code: 'claim_approved' })
  await reviewer.undo(id)
  await assert.rejects(reviewer.undo(id), { code: 'nothing_to_undo' })
  await reviewer.reject(id, { text: 'It is <gone>.' })
  for (const decide of [reviewer.reject, reviewer.approve])
    await assert.rejects(decide(id), { code: 'claim_rejected' })
  await sendAppeal()
  await reviewer.reject(id, { text: 'It is of another day.', reason: 'post_incomplete' })
  await assert.rejects(reviewer.reject(id), { code: 'claim_rejected' })
  await assert.rejects(sendAppeal(), { code: 'already_appealed' })
  await joinWaitingList(deps, ben.id)
  await expireAll(deps)
  await Promise.all([1, 2, 3].map(() => reallocateSlots(deps))) // as several nodes do

  // xmin is the transaction that wrote a row.
  const { rows } = await sql<{ what: string; templates: string[] }>`
    select what, array(
      select payload->>'template' from jobs j where kind = 'mail' and j.xmin = e.xmin order by id) as templates
    from claim_events e order by at, id`.execute(db)
  const mailed = rows.map(({ what, templates }) => [what, ...templates])
  assert.deepEqual(mailed, [
    ['received', 'claim-received'],
    ['edited'],
    ['held', 'claim-held'],
    ['approved', 'claim-approved'],
    ['reopened', 'claim-reopened'],
    ['rejected', 'claim-rejected'],
    ['appealed'],
    ['rejected', 'claim-rejection-upheld'],
    ['slot_freed', 'slot-freed', 'slot-reserved'],
  ])
  const { reserved, ...toAnn } = SUBJECTS
  const sent = await mailsTo(ann.email)
  assert.deepEqual(subjectsOf(sent), Object.values(toAnn))
  assert.deepEqual(subjectsOf(await mailsTo(ben.email)), [reserved])
  const textAbout = (about: string) => sent.find(({ subject }) => subject === about)?.text ?? ''
  assert.match(textAbout(SUBJECTS.rejected), /We couldn’t find your post\. It is <gone>\./)
  const upheld =
    /The rejection stands[^]*The post is missing something the task asks for\. It is of another day\./
  assert.match(textAbout(SUBJECTS.upheld), upheld)
})

const subjectsOf = (mails: readonly { subject: string }[]) => mails.map(({ subject }) => subject)

test('the email about an expired slot offers another claim, except after the last attempt', async (t) => {
  const { deps, db, ann, id, lastMail } = await setUp(t)
  const mailAfterExpiry = async (claimId: string) => {
    await rejectKeepingSlots(deps, [claimId])
    await expireAll(deps)
    await reallocateSlots(deps)
    const { subject, text } = await lastMail()
    assert.equal(subject, SUBJECTS.freed)
    return text
  }
  assert.match(await mailAfterExpiry(id), /You can claim again[^]*\/airdrop/)

  const { _id: last } = await submitProof(deps, ann.id, freshProof())
  await db.updateTable('claims').set({ attempt: contract.MAX_ATTEMPTS }).where('id', '=', last).execute()
  const text = await mailAfterExpiry(last)
  assert.doesNotMatch(text, /You can claim again|\/airdrop/)
  assert.match(text, /\/profile/)
})

const HOSTILE_NOTES = [
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '"\'><a href="https://evil.example">Log in</a>&amp;&lt;',
  '</p></div></body><!--',
  "=cmd|' /C calc'!A0 @SUM(1+1) +1 -1",
  'one\ntwo\n\nthree',
  'مرحبا שלום 你好 👩‍🚀 e\u0301',
  '${username} {{username}} %s 123456 \\u003cb\\u003e',
]

/** The beginnings of all tags in the HTML part of an email, sorted and without duplicates. */
const TEMPLATE_TAGS =
  '<!doctype </a </body </div </head </html </p </title <a <body <div <head <html <meta <p <title'

const mailOf = (template: string, values: Record<string, string>, locale: Locale) => {
  const queued = { template, to: 'al@mail.example', values: { username: 'al', ...values } }
  return render(queued, claimMails, MAIL_CONTEXT, locale)
}
const textOf = (...mail: Parameters<typeof mailOf>) => mailOf(...mail).text

test("an email has the reviewer's reason verbatim in the text part and escaped in the HTML part", () => {
  for (const note of HOSTILE_NOTES) {
    const { subject, text, html } = mailOf('claim-rejected', { code: 'other', note }, 'en')
    assert.ok(text.includes(`\n\n${note}\n\n`), note)
    // Keeps the line breaks of the reviewer.
    assert.ok(html.includes(`white-space:pre-line">${escapeHtml(note)}</p>`), note)
    const tags = html.match(/<[a-z!/][^>]*>/gi)?.map((tag) => tag.replace(/[ >].*$/s, ''))
    assert.deepEqual([...new Set(tags)].toSorted().join(' '), TEMPLATE_TAGS, note)
    assert.equal(html.match(/href="[^"]*"/g)?.length, 1, 'the only link is the one to our site')
    assert.equal(subject, SUBJECTS.rejected)
  }
})

// Earlier versions queued English words (`reasons`, `reason`) instead of signals and codes.

test('an email words the reasons of a hold in the reader’s language, unless an earlier version queued it', () => {
  const counts = [1, 2, 1_000]
  const signals = counts.map((others) => ({ kind: 'same-text', facts: { others } }))
  const held = { reasons: 'As it was.', signals: JSON.stringify(signals) }
  for (const locale of ['en', 'es', 'ar'] as const) {
    const text = textOf('claim-held', held, locale)
    for (const others of counts)
      assert.ok(text.includes(reasonOf('same-text', { others }, locale)), `${locale}: ${text}`)
    assert.ok(!text.includes('As it was.'))
  }
  assert.match(textOf('claim-held', { reasons: 'As it was.' }, 'es'), /\n\nAs it was\.\n\n/)
})

test('an email words a rejection’s reason in the reader’s language, unless an earlier version queued it', () => {
  const rejected = { reason: 'English.', code: 'post_missing', note: 'Ben wrote this.', next: 'last' }
  const translated = `${textsIn('es').REJECTION_REASONS.post_missing} Ben wrote this.`
  assert.ok(textOf('claim-rejected', rejected, 'es').includes(translated))
  for (const code of ['other', '__proto__'])
    assert.match(textOf('claim-rejected', { ...rejected, code }, 'es'), /\n\nBen wrote this\.\n\n/, code)
  assert.match(textOf('claim-rejection-upheld', { reason: 'English.' }, 'es'), /\n\nEnglish\.\n\n/)
})

test('an email words points and links in the reader’s language', () => {
  const approved = { pfPoints: '5000', plsPoints: '1' }
  assert.match(textOf('claim-approved', approved, 'en'), /5,000 PF points and 1 PLS point\./)
  const spanish = textOf('claim-approved', approved, 'es')
  assert.match(spanish, /5,000 puntos en PF y 1 punto en PLS\./)
  assert.match(spanish, /: https:\/\/site\.example\/es\/profile\n/)
  assert.match(textOf('claim-approved', approved, 'ar'), /:\nhttps:\/\/site\.example\/ar\/profile\n/)
})
