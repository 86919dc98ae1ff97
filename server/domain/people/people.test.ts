import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { banPerson, exportPerson, person, type Person } from '#contract/dashboard/person.ts'
import { exportPeople, listPeople, type PersonRow } from '#contract/dashboard/people.ts'
import { testApi } from '#server/testing/api.ts'
import { claimant, scoredClaimant } from '#server/testing/builders/claimants.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { testNode } from '#server/testing/deps.ts'
import { refusalOf } from '#server/testing/checks/refusals.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { MAX_MATCHES } from '../claims/search.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { findAccount } from './find-account.ts'

type Query = Record<string, string | number>

async function setUp(t: TestContext) {
  const api = await testApi(t)
  const account = { role: 'admin', username: () => 'theboss' } as const
  const [adm] = await createUsers(api.db, api.deps.campaign.id, 1, account)
  const ask = (query: Query) => api.call(listPeople, { token: adm.token, query })
  const page = async (query: Query) => {
    const { status, body } = await ask(query)
    assert.equal(status, 200, JSON.stringify(body))
    return body as unknown as { data: PersonRow[]; next: string | null; isSearchCut: boolean }
  }
  const namesOf = async (query: Query) => (await page(query)).data.map(({ username }) => username)
  const allNamesOf = async (query: Query) => {
    const names: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const { data, next } = await page({ limit: 2, ...query, ...(cursor ? { cursor } : {}) })
      names.push(...data.map(({ username }) => username))
      cursor = next
    }
    return names
  }
  const claim = async ({ id }: TestUser, proof = freshProof()) => (await submitProof(api.deps, id, proof))._id
  const readPerson = async (id: string) => {
    const { status, body } = await api.call(person, { token: adm.token, params: { userId: id } })
    assert.equal(status, 200, JSON.stringify(body))
    return body.data as Person
  }
  return { api, adm, ask, page, namesOf, allNamesOf, claim, readPerson, reviewer: reviewerOn(api.deps, adm) }
}

test('lists people page by page with each filter', async (t) => {
  const { api, adm, allNamesOf, claim } = await setUp(t)
  const [pip0, pip1, pip2, pip3] = await createUsers(api.db, api.deps.campaign.id, 5, {
    username: (index) => `pip${index}`,
  })
  for (const claimer of [pip1, pip3, pip0]) await claim(claimer)
  await api.call(banPerson, { token: adm.token, params: { userId: pip2.id }, body: { reason: 'A test.' } })
  assert.deepEqual(await allNamesOf({}), ['pip4', 'pip3', 'pip2', 'pip1', 'pip0', 'theboss'])
  assert.deepEqual(await allNamesOf({ filter: 'claimed' }), ['pip0', 'pip3', 'pip1'])
  assert.deepEqual(await allNamesOf({ filter: 'banned' }), ['pip2'])
  assert.deepEqual(await allNamesOf({ filter: 'administrators' }), ['theboss'])
})

test('finds people by name, email, id, wallet, handle and connected account, and refuses invalid queries', async (t) => {
  const { api, adm, ask, page, namesOf, claim } = await setUp(t)
  const { db, deps } = api
  const [ann, ben] = await createUsers(db, deps.campaign.id, 2, {
    username: (index) => ['ann_of_arc', 'benjamin'][index] ?? '',
    email: (index) => ['ann@arc.example', 'ben@jam.example'][index] ?? '',
  })
  const proof = { ...freshProof(), telegram: '@annalog' }
  await claim(ann, proof)
  await sql`insert into telegram_accounts values (${ben.id}, 77, 'jam_and_co', now())`.execute(db)
  const proven = `0x${'ab'.repeat(20)}`
  await sql`insert into proven_wallets (campaign_id, user_id, address, kind)
    values (${deps.campaign.id}, ${ben.id}, ${proven}, 'account')`.execute(db)
  const searches: [search: string, names: string[]][] = [
    ['ANN_', ['ann_of_arc']],
    ['ann@', ['ann_of_arc']],
    [ann.id.toUpperCase(), ['ann_of_arc']],
    [proof.wallet.slice(0, 12), ['ann_of_arc']],
    ['@annalog', ['ann_of_arc']],
    [proof.twitter, ['ann_of_arc']],
    ['Jam_and', ['benjamin']],
    [proven.toUpperCase().replace('X', 'x'), ['benjamin']],
    ['%%', []],
    ["' or 1=1 --", []],
  ]
  for (const [search, names] of searches) assert.deepEqual(await namesOf({ search }), names, search)
  assert.deepEqual(await namesOf({ search: 'ann', filter: 'administrators' }), [])
  const { data, isSearchCut } = await page({ search: 'ann' })
  assert.equal(data[0]?.claimStatus, 'submitted')
  assert.equal(isSearchCut, false)
  await createUsers(db, deps.campaign.id, MAX_MATCHES, { username: (index) => `crowd${index}` })
  assert.equal((await page({ search: 'crowd' })).isSearchCut, true, 'more people may match')

  for (const query of [{ search: 'a' }, { cursor: 'x' }, { filter: 'nobody' }])
    assert.deepEqual(Object.keys((await ask(query)).body.fields ?? {}), Object.keys(query))
  const unknown = await api.call(person, { token: adm.token, params: { userId: crypto.randomUUID() } })
  assert.deepEqual(refusalOf(unknown), [404, 'person_not_found'])
})

test('shows what administrators may know about a person, whose data they can download', async (t) => {
  const { api, adm, page, namesOf, readPerson, reviewer } = await setUp(t)
  // Two accounts of one person.
  const network = '203.0.113.9'
  const inviter = await claimant(api.deps, { network, email: 'same.person@gmail.com' })
  const invited = await scoredClaimant(api.deps, {
    network,
    email: 'sameperson@gmail.com',
    referredBy: inviter.id,
  })
  await api.runClaimChecks()
  await reviewer.reject(invited.claimId, { text: 'Have another look.' })
  await reviewer.approve(inviter.claimId)

  const { journal, mails, ledger, referrals, claims, points, cluster, isSelf } = await readPerson(inviter.id)
  const actions = journal.map(({ action }) => action).toSorted()
  assert.deepEqual(actions, ['claim.approved', 'points.credited', 'points.credited'])
  const [approval, receipt] = mails
  assert.partialDeepStrictEqual(approval, { template: 'claim-approved', state: 'queued' })
  assert.partialDeepStrictEqual(receipt, { template: 'claim-received', state: 'queued' })
  const credits = ledger.map(({ kind, amount }) => `${kind} ${amount}`).toSorted()
  assert.deepEqual(credits, ['pf 20000', 'pls 20000'])
  assert.equal(points.total, 40_000)
  assert.partialDeepStrictEqual(referrals, { count: 1, invited: [{ _id: invited.id }] })
  assert.ok((claims[0]?.evidence.length ?? 0) > 0)
  assert.equal(isSelf, false)
  assert.equal((await readPerson(adm.id)).isSelf, true)

  const ofInvited = await readPerson(invited.id)
  assert.equal(ofInvited.referrals.invitedBy?._id, inviter.id)
  const [rejected] = ofInvited.claims
  assert.equal(rejected?.rejection?.text, 'We couldn’t find your post. Have another look.')
  assert.equal(rejected.decidedBy, 'theboss')
  assert.equal(rejected.timeline.at(-1)?.what, 'rejected')

  assert.equal(cluster?.id, inviter.id)
  const members = cluster.members.map(({ userId }) => userId)
  assert.deepEqual(members, [inviter.id, invited.id])
  const listed = (await page({ cluster: inviter.id })).data.map(({ _id }) => _id)
  assert.deepEqual(listed.toSorted(), [inviter.id, invited.id])
  assert.deepEqual(await namesOf({ cluster: inviter.id, filter: 'banned' }), [])

  const download = { token: adm.token, params: { userId: inviter.id } }
  const { body } = await api.call(exportPerson, download)
  assert.equal((body.data as { account: { email: string } }).account.email, inviter.email)
  const [entry] = await entriesOf(api.db, { action: 'user.data_exported' })
  assert.deepEqual([entry?.actor, entry?.subject], [adm.id, inviter.id])
})

test('exports participants and winners as CSV without formulas in cells', async (t) => {
  const { api, adm, claim, reviewer } = await setUp(t)
  const [ann, ben, cleo] = await createUsers(api.db, api.deps.campaign.id, 3, {
    username: (index) => ['-1-1', 'ben', 'cleo'][index] ?? '',
    email: (index) => ['=cmd@mail.example', '+ben@mail.example', 'cleo@mail.example'][index] ?? '',
  })
  for (const winner of [ann, cleo]) await reviewer.approve(await claim(winner))
  await claim(ben)
  await api.call(banPerson, { token: adm.token, params: { userId: cleo.id }, body: { reason: 'A test.' } })
  const download = async (list: string) => {
    const { status, text, headers } = await api.call(exportPeople, { token: adm.token, query: { list } })
    assert.equal(status, 200)
    assert.match(String(headers['content-type']), /^text\/csv/)
    assert.match(text, /^id,username,email,role,state,\w+,invited_by,claim_status,.+,total_points\r\n/)
    const [columns = [], ...rows] = Array.from(text.trimEnd().split('\r\n'), (line) => line.split(','))
    return rows.map((cells) => Object.fromEntries(columns.map((column, index) => [column, cells[index]])))
  }
  const everyone = await download('participants')
  assert.deepEqual(
    everyone.map(({ username, email, state }) => ({ username, email, state })),
    [
      { username: 'cleo', email: 'cleo@mail.example', state: 'banned' },
      { username: 'ben', email: "'+ben@mail.example", state: 'open' },
      { username: "'-1-1", email: "'=cmd@mail.example", state: 'open' },
      { username: 'theboss', email: adm.email, state: 'open' },
    ],
  )
  const winners = await download('winners')
  assert.equal(winners.length, 1, 'without the banned one')
  const ofAnn = { username: "'-1-1", claim_status: 'approved', total_points: '40000' }
  assert.partialDeepStrictEqual(winners, [ofAnn])
  const exports = await entriesOf(api.db, { action: 'people.exported' })
  assert.deepEqual(
    exports.map(({ actor, after }) => ({ actor, list: (after as { list: string }).list })),
    ['participants', 'winners'].map((list) => ({ actor: adm.id, list })),
  )
})

test('an operator finds an account by email, username or ID, or is told what is wrong', async (t) => {
  const { db, deps } = await testNode(t)
  const account = { username: () => 'ann_arc', email: () => 'ann@arc.example' }
  const [ann] = await createUsers(db, deps.campaign.id, 1, account)
  for (const who of ['ANN@arc.example', 'ann_arc', 'Ann_Arc', 'ann-arc', ann.id, ann.id.toUpperCase()])
    assert.deepEqual(await findAccount(db, who), { id: ann.id, username: 'ann_arc' }, who)
  const unknownId = '00000000-0000-0000-0000-000000000000'
  const wrong = {
    'ben@arc.example': 'There is no account with the email ben@arc.example.',
    'ben@@arc.example': 'ben@@arc.example is not an email address.',
    nobody: 'There is no account with the username nobody.',
    [unknownId]: `There is no account with the ID ${unknownId}.`,
    x: 'x is neither an email address nor a username nor an ID.',
  }
  for (const [who, problem] of Object.entries(wrong))
    assert.deepEqual(await findAccount(db, who), { problem })
})
