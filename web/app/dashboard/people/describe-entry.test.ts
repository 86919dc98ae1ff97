import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JournalEntry } from '#contract/journal.ts'
import { describeEntry } from './describe-entry.ts'

const ID = '0190a000-0000-7000-8000-000000000000'
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'
const describe = (fields: Partial<JournalEntry>) =>
  describeEntry(
    {
      id: ID,
      number: 1,
      hash: null,
      at: '2026-01-01T00:00:00Z',
      actor: null,
      actorName: null,
      action: 'claim.approved',
      subject: ID,
      before: null,
      after: null,
      details: null,
      ...fields,
    },
    { pf: 'PF', pls: 'PLS' },
  ).join(' · ')

test('describes an entry about a person in words, without field names or ids', () => {
  const cases: [Partial<JournalEntry>, string][] = [
    [{}, ''],
    [
      {
        before: { status: 'under_review' },
        after: { status: 'approved', pfPoints: 40_000, plsPoints: 10_000 },
        details: { network: '203.0.113.0/24' },
      },
      'Under Review → Verified · +40,000 PF points · +10,000 PLS points · network 203.0.113.0/24',
    ],
    [{ after: { ledger: ID, claim: ID, kind: 'referral', amount: 5_000 } }, '+5,000 referral points'],
    [{ after: { ledger: ID, reverses: ID, claim: ID, kind: 'pls', amount: -10_000 } }, '−10,000 PLS points'],
    [
      { before: { status: 'approved' }, after: { status: 'held', reversed: 2 } },
      'Verified → Held · 2 credits taken back',
    ],
    [{ before: { status: 'rejected' }, after: { status: 'rejected', reversed: 0 } }, 'Rejected'],
    [
      { before: { status: 'held' }, after: { status: 'rejected', reason: 'post_missing' } },
      'Held → Rejected · We couldn’t find your post.',
    ],
    [
      { after: { status: 'rejected', reason: 'post_missing' }, details: { text: 'No post there.' } },
      'Rejected · “No post there.”',
    ],
    [
      { before: { role: 'user' }, after: { revokes_approval: true }, details: { reason: 'Three accounts.' } },
      '“Three accounts.” · approval undone as well',
    ],
    [{ after: { revokes_approval: false } }, ''],
    [{ before: { role: 'user' }, after: { role: 'admin', offered_by: ID } }, 'Participant → Administrator'],
    [{ before: { role: null }, after: { role: 'admin' } }, 'Administrator'],
    [{ details: { wallet: WALLET, kind: 'account' } }, 'wallet 0x5290…69EE7'],
    [{ details: { wallet: WALLET, kind: 'contract' } }, 'wallet 0x5290…69EE7, a contract'],
    [{ details: { telegramId: '12', username: 'ann' } }, 'Telegram @ann · Telegram number 12'],
    [{ details: { telegramId: '12', username: null } }, 'Telegram number 12'],
    [{ after: { entries: 1 } }, '1 entry'],
  ]
  for (const [fields, words] of cases) assert.equal(describe(fields), words)
})

test('shows fields and values as they are if there are no words for them', () => {
  assert.equal(describe({ after: { mood: 'good', list: [1] } }), 'mood: good · list: [1]')
  assert.equal(
    describe({ after: { status: 'thinking', reason: 'a_former_one' } }),
    'thinking · “a_former_one”',
  )
})
