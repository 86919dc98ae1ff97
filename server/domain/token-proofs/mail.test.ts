import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { TokenCheck } from '#contract/token-proofs/proof.ts'
import { CLAIM_NAMES } from '#messages/proofs.js'
import { testApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import {
  advanceChecks,
  checkAt,
  checkWithoutAnswer,
  OWNED,
  REAL_TOKEN,
} from '#server/testing/builders/token-checks.ts'
import { runTokenCheck } from './run-token-check.ts'

/** There is an administrator, and a check has proven everything, at block 1. */
async function setUp(t: TestContext) {
  const { db, deps, mailsTo } = await testApi(t, { campaign: REAL_TOKEN })
  const [adm] = await createUsers(db, deps.campaign.id, 1, { role: 'admin' })
  await runTokenCheck(deps, async () => checkAt(1))
  const checkAfter = async (minutes: number, check: TokenCheck) => {
    await advanceChecks(db, minutes * 60)
    await runTokenCheck(deps, async () => check)
    return mailsTo(adm.email)
  }
  return { checkAfter, adm, deps }
}

test('the email says what changed and what the chain’s answer does not prove, as text and HTML', async (t) => {
  const { checkAfter, adm, deps } = await setUp(t)
  const [mail, ...others] = await checkAfter(1, checkAt(24_500_000, { ownership: OWNED }))
  assert.deepEqual(others, [])
  assert.equal(mail?.subject, 'PF, No owner: the chain says otherwise')
  for (const part of [
    `Hello ${adm.username},`,
    'No owner: “Proven” is now “Not true”. 0x1111…11111 owns the contract.',
    'Read from block 24,500,000 of PulseChain on ',
    'No owner: This does not show hidden roles that use other names',
    'http://localhost:3000/tokenomics',
    `https://scan.pulsechain.com/address/${deps.campaign.token.contract}`,
  ]) {
    assert.ok(mail?.text.includes(part), part)
    assert.ok(mail?.html.includes(part), part)
  }
  const [, nextMail] = await checkAfter(1, checkAt(24_500_006))
  assert.equal(nextMail?.subject, 'PF, No owner: proven by the chain')
  assert.match(nextMail.text, /“Not true” is now “Proven”/)
})

test('an hour without a verdict leads to one email about all claims', async (t) => {
  const { checkAfter } = await setUp(t)
  assert.deepEqual(await checkAfter(59, checkWithoutAnswer()), [])
  const [mail, ...others] = await checkAfter(1, checkWithoutAnswer())
  assert.deepEqual(others, [])
  assert.equal(mail?.subject, 'PF, 5 claims: could not be checked for an hour')
  const change = '“Proven” is now “Could not check”. The node didn’t answer eth_chainId.'
  for (const claim of Object.values(CLAIM_NAMES)) assert.ok(mail.text.includes(`${claim}: ${change}`), claim)
  assert.match(mail.text, /reached a verdict was on \d{4}-\d\d-\d\d \d\d:\d\d UTC\./)
  assert.equal((await checkAfter(60, checkWithoutAnswer())).length, 1, 'the next hour leads to no other')
  const subjects = (await checkAfter(1, checkAt(2))).map(({ subject }) => subject)
  assert.deepEqual(subjects.slice(1), ['PF, 5 claims: proven by the chain'], 'the verdicts are back')
})
