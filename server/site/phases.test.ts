import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import campaign from '#server/testing/campaign.ts'
import { siteWithoutDatabase } from '../testing/builders/site.ts'
import { phaseOf } from '#contract/phase.ts'
import { registerSite } from './register-site.ts'

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
  const app = Fastify()
  t.after(() => app.close())
  await registerSite(app, siteWithoutDatabase({ ...campaign, airdrop }))
  const home = async () => {
    const { body, headers } = await app.inject({ url: '/' })
    const ticket = body.slice(body.indexOf('class="offer"'))
    return { etag: headers['etag'], text: ticket.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ') }
  }
  const before = await home()
  assert.match(
    before.text,
    /Not open yet Opens on 31 January 2027, 12:00 UTC \. 30 days 12 hours 0 minutes See the airdrop/,
  )
  assert.doesNotMatch(before.text, /Open the airdrop/)
  t.mock.timers.setTime(Date.parse(OPENS))
  const open = await home()
  assert.match(open.text, /Open until 28 February 2027, 22:00 UTC \. Open the airdrop/)
  assert.doesNotMatch(open.text, /Not open yet|Closed/)
  t.mock.timers.setTime(Date.parse(CLOSES))
  const after = await home()
  assert.match(after.text, /Closed Closed on 28 February 2027, 22:00 UTC \. See the leaderboard/)
  assert.doesNotMatch(after.text, /First come, first served\. Every proof|Open the airdrop/)
  assert.equal(new Set([before.etag, open.etag, after.etag]).size, 3)
  assert.deepEqual(await home(), after)
})
