import assert from 'node:assert/strict'
import { test } from 'node:test'
import campaign from '#server/testing/campaign.ts'
import { siteWithoutDatabase, startSite } from '../testing/builders/site.ts'
import { phaseOf } from '#contract/phase.ts'

const OPENS = '2027-01-31T12:00:00Z'
const CLOSES = '2027-03-01T00:00:00+02:00'
const airdrop = { ...campaign.airdrop, opensAt: OPENS, closesAt: CLOSES }

test('a phase begins at its exact time, whatever its time zone', () => {
  const at = (iso: string) => phaseOf(airdrop, Date.parse(iso))
  assert.equal(at('2027-01-31T11:59:59.999Z'), 'before')
  assert.equal(at(OPENS), 'open')
  assert.equal(at('2027-02-28T21:59:59.999Z'), 'open')
  assert.equal(at('2027-02-28T22:00:00Z'), 'after')
  assert.equal(phaseOf({ opensAt: OPENS, closesAt: null }, Date.parse('2099-01-01T00:00:00Z')), 'open')
})

test('the home page follows the campaign’s phases without a restart', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2027-01-01T00:00:00Z') })
  const { get } = await startSite(t, siteWithoutDatabase({ ...campaign, airdrop }))
  const readHome = async () => {
    const { body, headers } = await get('/')
    const ticket = body.slice(body.indexOf('class="offer"'))
    return { etag: headers['etag'], text: ticket.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ') }
  }
  const before = await readHome()
  assert.match(
    before.text,
    /Not open yet Opens on 31 January 2027, 12:00 UTC \. 30 days 12 hours 0 minutes See the airdrop/,
  )
  assert.doesNotMatch(before.text, /Open the airdrop/)

  t.mock.timers.setTime(Date.parse(OPENS))
  const open = await readHome()
  assert.match(open.text, /Open until 28 February 2027, 22:00 UTC \. Open the airdrop/)
  assert.match(open.text, /First come, first served\. Every proof/)
  assert.doesNotMatch(open.text, /Not open yet|Closed/)

  t.mock.timers.setTime(Date.parse(CLOSES))
  const after = await readHome()
  assert.match(after.text, /Closed Closed on 28 February 2027, 22:00 UTC \. See the leaderboard/)
  assert.doesNotMatch(after.text, /First come, first served\. Every proof|Open the airdrop/)

  assert.equal(new Set([before.etag, open.etag, after.etag]).size, 3)
  assert.deepEqual(await readHome(), after)
})
