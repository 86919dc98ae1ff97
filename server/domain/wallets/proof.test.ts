import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSiweMessage } from 'viem/siwe'
import { beginWallet, finishWallet } from '#contract/accounts/wallets.ts'
import type { Endpoint } from '#contract/protocol/endpoint.ts'
import { advanceTime } from '#server/testing/advance-time.ts'
import { logLines } from '#server/testing/checks/log-lines.ts'
import { assertSealed } from '#server/testing/journal.ts'
import { type IssuedMessage, newOwner, walletSite } from '#server/testing/builders/wallets.ts'
import { eraseDetails } from '../journal/erase-details.ts'
import { purgeMessages } from './messages.ts'

/** Has the right form but belongs to no message. */
const UNKNOWN_NONCE = '0'.repeat(32)
const TEN_MINUTES_MS = 600_000

test('proves, shows and removes a wallet', async (t) => {
  const { prove, readAddress, remove, readWallet, db } = await walletSite(t)
  const owner = newOwner()
  assert.equal(await readAddress(), null)
  const { status, body, text } = await prove(owner)
  assert.deepEqual([status, body.message], [200, 'You’ve proven that this wallet is yours.'])
  assert.partialDeepStrictEqual(await readWallet(), { address: owner.address, kind: 'account' })
  assert.ok(!text.includes('signature'), 'the reply does not repeat the signature')
  assert.equal((await prove(owner)).status, 200, 'a proven wallet can be proven again')

  const removed = await remove()
  assert.deepEqual([removed.status, removed.body.message], [200, 'Your wallet proof has been removed.'])
  assert.equal(await readAddress(), null)
  assert.equal((await remove()).status, 200, 'a second call changes nothing')
  assert.deepEqual(await db.selectFrom('wallet_messages').selectAll().execute(), [])
})

test('refuses what cannot be a participant’s wallet', async (t) => {
  const { begin, deps, db } = await walletSite(t)
  for (const [wallet, reason] of [
    ['0x1', /40 hexadecimal digits/],
    [newOwner().address.replace(/[a-f]/, (letter) => letter.toUpperCase()), /checksum/],
    [`0x${'0'.repeat(40)}`, /No one can receive/],
    [deps.campaign.token.contract, /own address/],
  ] as const) {
    const { status, body } = await begin(wallet)
    assert.equal(status, 400, wallet)
    assert.match(body.fields?.['wallet'] ?? '', reason)
  }
  assert.deepEqual(await db.selectFrom('wallet_messages').selectAll().execute(), [])
})

test('composes the message from the configuration, whatever host a request names', async (t) => {
  const { begin, ann, db } = await walletSite(t)
  const { address } = newOwner()
  const begun = await begin(address.toLowerCase(), ann, { host: '127.0.0.1:6666' })
  const { nonce, message } = begun.body.data as IssuedMessage
  const { issuedAt, expirationTime, ...parts } = parseSiweMessage(message)
  const site = { domain: 'localhost:3000', uri: 'http://localhost:3000' }
  assert.partialDeepStrictEqual(parts, { ...site, chainId: 369, address, nonce })
  assert.equal(Number(expirationTime) - Number(issuedAt), TEN_MINUTES_MS)
  const stored = await db.selectFrom('wallet_messages').select(['text', 'expires_at']).execute()
  assert.deepEqual(stored, [{ text: message, expires_at: expirationTime }])
})

test('accepts a message once, and only from the participant for whom it was composed', async (t) => {
  const { ask, finish, readAddress, ben } = await walletSite(t)
  const owner = newOwner()
  const { nonce, message } = await ask(owner.address)
  const signed = { nonce, signature: await owner.signMessage({ message }) }
  const byAnother = await finish(signed, ben)
  assert.deepEqual([byAnother.status, byAnother.body.code], [400, 'wallet_message_expired'])
  assert.equal((await finish(signed)).status, 200, 'another participant does not use up the message')
  assert.equal((await finish(signed)).body.code, 'wallet_message_expired', 'a message is used once')
  assert.equal(await readAddress(ben), null)
  assert.equal((await finish({ ...signed, nonce: UNKNOWN_NONCE })).body.code, 'wallet_message_expired')
  for (const malformed of ['made up', '\0', 'A'.repeat(32), 5]) {
    const { body } = await finish({ ...signed, nonce: malformed })
    assert.deepEqual(Object.keys(body.fields ?? {}), ['nonce'])
  }
})

test('a message that is older than ten minutes is refused', async (t) => {
  const { ask, finish, pool, db } = await walletSite(t)
  const owner = newOwner()
  const { nonce, message } = await ask(owner.address)
  await advanceTime(pool, '10 minutes 1 second')
  const signature = await owner.signMessage({ message })
  assert.equal((await finish({ nonce, signature })).body.code, 'wallet_message_expired')
  await purgeMessages(db)
  assert.deepEqual(await db.selectFrom('wallet_messages').selectAll().execute(), [], 'it is deleted')
})

test('accepts only the wallet’s own signature of the stored text', async (t) => {
  const { ask, finish, readAddress } = await walletSite(t)
  const [owner, stranger] = [newOwner(), newOwner()]
  const signed = (text: string, signer = owner) => signer.signMessage({ message: text })
  const wrong: [fault: string, sign: (message: string) => Promise<string>][] = [
    ['another signer', (message) => signed(message, stranger)],
    ['a changed text', (message) => signed(message.replace('costs nothing', 'costs something'))],
    ['another domain', (message) => signed(message.replaceAll('localhost:3000', 'evil.example'))],
    ['another chain', (message) => signed(message.replace('ID: 369', 'ID: 1'))],
    ['another line ending', (message) => signed(message.replaceAll('\n', '\r\n'))],
    ['nothing but zeros', async () => `0x${'0'.repeat(130)}`],
  ]
  for (const [fault, sign] of wrong) {
    const { nonce, message } = await ask(owner.address)
    const refused = await finish({ nonce, signature: await sign(message) })
    assert.deepEqual([refused.status, refused.body.code], [400, 'signature_wrong'], fault)
    const right = await finish({ nonce, signature: await signed(message) })
    assert.equal(right.body.code, 'wallet_message_expired', `${fault} uses up the message`)
  }
  assert.equal(await readAddress(), null)
})

test('names the fault if a regular account’s signature has the wrong length or is not hexadecimal', async (t) => {
  const { ask, finish, readAddress } = await walletSite(t)
  const owner = newOwner()
  for (const length of [0, 64, 66, 130, 4096]) {
    const { nonce } = await ask(owner.address)
    const { status, body } = await finish({ nonce, signature: `0x${'11'.repeat(length)}` })
    assert.deepEqual([status, body.code], [400, 'signature_length'], String(length))
    assert.match(body.message ?? '', /65 bytes/)
  }
  const { nonce } = await ask(owner.address)
  for (const signature of ['', '0x1', '0xzz', 'ab'.repeat(65), `0x${'11'.repeat(4097)}`, 5, null, ['0x']]) {
    const { status, body } = await finish({ nonce, signature })
    assert.equal(status, 400, JSON.stringify(signature))
    assert.deepEqual(Object.keys(body.fields ?? {}), ['signature'], JSON.stringify(signature))
  }
  assert.equal(await readAddress(), null)
})

test('only a regular account can be proven while the chain is unreachable', async (t) => {
  const { log, text } = logLines('warn')
  const unreachable = { failure: { kind: 'unreachable', detail: 'took too long' } } as const
  const { prove, ask, finish, readAddress, ben } = await walletSite(t, {
    log,
    rpc: async (calls) => calls.map(() => unreachable),
  })
  const owner = newOwner()
  for (const signature of [`0x${'11'.repeat(65)}`, '0x', `0x${'11'.repeat(130)}`]) {
    const { nonce } = await ask(owner.address)
    const { status, body, headers } = await finish({ nonce, signature })
    assert.deepEqual([status, body.code], [503, 'signature_unchecked'])
    assert.equal(headers['retry-after'], '30')
    assert.match(body.message ?? '', /nothing was saved/)
  }
  assert.equal(await readAddress(), null)
  assert.match(text(), /took too long/)
  assert.equal((await prove(owner, ben)).status, 200, 'a regular account needs no chain')
})

test('a wallet is proven by one participant only, until they replace or remove it', async (t) => {
  const { prove, remove, readAddress, ann, ben } = await walletSite(t)
  const [first, second] = [newOwner(), newOwner()]
  await prove(first)
  const refused = await prove(first, ben)
  assert.deepEqual([refused.status, refused.body.code], [409, 'wallet_proven'])
  assert.ok(!refused.text.includes(ann.username) && !refused.text.includes(ann.id))
  assert.equal((await prove(second)).status, 200, 'replaces the first wallet')
  assert.equal((await prove(first, ben)).status, 200, 'the replaced wallet is free')
  assert.equal((await prove(second, ben)).body.code, 'wallet_proven')
  assert.equal(await readAddress(), second.address)
  assert.equal(await readAddress(ben), first.address)
  await remove()
  assert.equal((await prove(second, ben)).status, 200, 'the removed wallet is free')
})

test('does not tell a stranger whether a wallet is proven or claimed', async (t) => {
  const { prove, claim, begin, ask, finish, ben } = await walletSite(t)
  const [known, fresh] = [newOwner(), newOwner()]
  await prove(known)
  await claim(known)
  /** The answers without what differs between any two messages. */
  const answersAbout = async ({ address }: typeof known) => {
    const begun = await begin(address, ben)
    const { nonce } = await ask(address, ben)
    const finished = await finish({ nonce, signature: `0x${'11'.repeat(65)}` }, ben)
    return [begun, finished].map(({ status, text }) => {
      const comparable = text.replaceAll(/0x\w{40}|[0-9a-f]{32}|[-\d]+T[\d:.]+Z|"requestId":".*?"/g, '')
      return `${status} ${comparable}`
    })
  }
  const answers = await answersAbout(known)
  assert.match(answers.join(), /^201.*signature_wrong/)
  assert.deepEqual(await answersAbout(fresh), answers)
})

test('records proving and removing a wallet in the journal, with details that can be erased', async (t) => {
  const { prove, remove, db, ann } = await walletSite(t)
  const owner = newOwner()
  await prove(owner)
  await prove(owner)
  await remove()
  const lines = (await assertSealed(db)).filter(({ action }) => action.startsWith('wallet.'))
  const entries = lines.map(({ action, actor, subject }) => ({ action, actor, subject }))
  const by = { actor: ann.id, subject: ann.id }
  // Proving the same wallet again changes nothing.
  assert.deepEqual(entries, [
    { action: 'wallet.proven', ...by },
    { action: 'wallet.removed', ...by },
  ])
  const { network, ...details } = (lines[0]?.details?.content ?? {}) as Record<string, unknown>
  assert.equal(typeof network, 'string')
  assert.deepEqual(details, { wallet: owner.address, kind: 'account' })
  assert.equal(await eraseDetails(db, ann.id), 2, 'both entries have details')
  assert.ok(!JSON.stringify(await assertSealed(db)).includes(owner.address))
})

/** How many calls an endpoint allows an account or a network. */
const callsAllowed = ({ limits }: Endpoint, per: 'account' | 'network') =>
  limits?.find((limit) => limit.per === per)?.take ?? assert.fail()

test('limits how often an account or a network begins a proof, and how often an account finishes one', async (t) => {
  const { begin, finish, call, ann, ben, db } = await walletSite(t)
  /** `counted` is the account or network, which has called the endpoint already. */
  const leaveOneCall = (endpoint: Endpoint, per: 'account' | 'network', counted: string) =>
    db
      .updateTable('rate_limits')
      .set({ count: callsAllowed(endpoint, per) - 1 })
      .where('key', 'like', `% ${counted}`)
      .execute()
  const { address } = newOwner()
  assert.equal((await begin(address)).status, 201)
  await leaveOneCall(beginWallet, 'account', ann.id)
  assert.equal((await begin(address)).status, 201)
  assert.equal((await begin(address)).status, 429)
  const unknown = { nonce: UNKNOWN_NONCE, signature: '0x' }
  assert.equal((await finish(unknown)).body.code, 'wallet_message_expired')
  await leaveOneCall(finishWallet, 'account', ann.id)
  assert.equal((await finish(unknown)).body.code, 'wallet_message_expired')
  assert.equal((await finish(unknown)).status, 429)
  assert.equal((await finish(unknown, ben)).body.code, 'wallet_message_expired', 'another account')

  const ip = '192.0.2.77'
  const beginThere = () => call(beginWallet, { token: ben.token, body: { wallet: address }, ip })
  assert.equal((await beginThere()).status, 201)
  await leaveOneCall(beginWallet, 'network', ip)
  assert.equal((await beginThere()).status, 201)
  assert.equal((await beginThere()).status, 429)
  assert.equal((await begin(address, ben)).status, 201, 'from another network')
})
