import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type pg from 'pg'
import { pino } from 'pino'
import * as accounts from '#contract/accounts/accounts.ts'
import * as sessions from '#contract/accounts/sessions.ts'
import { accountApi, type AccountApi, EMAIL, wrongCode } from '#server/testing/account-api.ts'
import { NEW_PASSWORD, PASSWORD } from '#server/testing/api.ts'
import { logLines } from '#server/testing/checks/log-lines.ts'

const MISTYPED = 'a mistyped passphrase'

/** Values that may appear only in an email or in the one reply that issues them. */
type Secrets = { codes: string[]; tokens: string[]; resetTokens: string[]; passwords: string[] }

/** Runs one account through every call, including failures. @returns all its secrets. */
async function exerciseAccount(api: AccountApi): Promise<Secrets> {
  const passwords = [PASSWORD, NEW_PASSWORD, MISTYPED]
  const secrets: Secrets = { codes: [], tokens: [], resetTokens: [], passwords }
  const readCode = async () => {
    const code = await api.codeFor(EMAIL)
    secrets.codes.push(code)
    return code
  }
  const logIn = async (password: string) => {
    const { token } = await api.logIn(EMAIL, password)
    secrets.tokens.push(token)
    return token
  }

  await api.register()
  await readCode()
  await api.passCooldown()
  await api.resend()
  await api.verify(wrongCode(await readCode()))
  await api.verify(await readCode())

  await api.loginOutcome(MISTYPED)
  await api.call(accounts.profile, { token: await logIn(PASSWORD) })

  await api.forgot()
  const { body } = await api.exchange(await readCode())
  const resetToken = body['resetPasswordToken'] as string
  secrets.resetTokens.push(resetToken)
  await api.reset(resetToken, 'short')
  await api.reset(resetToken, NEW_PASSWORD)

  const token = await logIn(NEW_PASSWORD)
  const mistyped = { currentPassword: MISTYPED, newPassword: PASSWORD }
  await api.call(accounts.changePassword, { token, body: mistyped })
  await api.call(sessions.logout, { token })
  await logIn(NEW_PASSWORD)

  // At the end, a code of each purpose is still valid: of this reset, and of the registration below.
  await api.passCooldown()
  await api.forgot()
  await readCode()
  await api.register({ username: 'pending' })
  return secrets
}

const ENCODINGS = ['latin1', 'hex', 'base64', 'base64url'] as const

/** Every value in the database as text, bytes in all {@link ENCODINGS}. */
async function readAllValues(pool: pg.Pool): Promise<string[]> {
  const { rows: columns } = await pool.query<{ table: string; column: string }>(
    `select c.table_name as table, c.column_name as column
     from information_schema.columns c join information_schema.tables using (table_schema, table_name)
     where c.table_schema = 'public' and table_type = 'BASE TABLE'
       and data_type in ('text', 'jsonb', 'json', 'bytea', 'character varying', 'ARRAY')`,
  )
  assert.ok(columns.some(({ table, column }) => table === 'codes' && column === 'digest'))
  const values: string[] = []
  for (const { table, column } of columns) {
    const { rows } = await pool.query<{ value: unknown }>(
      `select "${column}" as value from "${table}" where "${column}" is not null`,
    )
    for (const { value } of rows) {
      if (Buffer.isBuffer(value)) values.push(...ENCODINGS.map((encoding) => value.toString(encoding)))
      else values.push(typeof value === 'string' ? value : JSON.stringify(value))
    }
  }
  return values
}

const HASHES = ['md5', 'sha1', 'sha224', 'sha256', 'sha512']

/** Unkeyed hashes of a secret, alone and with the email, in the usual encodings. */
function hashesOf(secret: string): string[] {
  const preimages = [secret, EMAIL + secret, secret + EMAIL, `${EMAIL}:${secret}`, `${secret}:${EMAIL}`]
  return HASHES.flatMap((name) =>
    preimages.flatMap((preimage) => {
      const digest = createHash(name).update(preimage).digest()
      return [digest.toString('hex'), digest.toString('base64'), digest.toString('base64url')]
    }),
  )
}

/** Matches a code that is not part of a longer number. */
const patternOf = (code: string) => new RegExp(`(?<!\\d)${code}(?!\\d)`)

/** Random values in hexadecimal, in which any six digits may occur by chance. */
const RANDOM = /[0-9a-f-]{16,}/g

test('control: the search would find a code that is stored in plain text, and an unkeyed hash of one', async (t) => {
  const api = await accountApi(t)
  await api.register()
  const code = await api.codeFor(EMAIL)
  await api.pool.query(`update jobs set last_error = $1`, [`sent ${code}`])
  const digest = createHash('sha256').update(`${EMAIL}${code}`).digest()
  await api.pool.query(`update codes set digest = $1`, [digest])
  const stored = await readAllValues(api.pool)
  assert.ok(stored.some((value) => patternOf(code).test(value)))
  assert.ok(hashesOf(code).some((hash) => stored.some((value) => value.includes(hash))))
})

test('no code, token or password is stored or logged, or appears in a reply other than the one that issues it', async (t) => {
  const written: string[] = []
  // Not the product's log, which redacts: no secret may be passed to a log in the first place.
  const log = pino({ level: 'trace' }, { write: (line: string) => void written.push(line) })
  const api = await accountApi(t, { log })
  const answers: string[] = []
  api.app.addHook('onSend', async (_request, _reply, payload) => void answers.push(String(payload)))
  const { codes, tokens, resetTokens, passwords } = await exerciseAccount(api)
  const stored = await readAllValues(api.pool)
  await t.test('neither a code nor an unkeyed hash of it is stored', () => {
    assert.ok(codes.length >= 5 && stored.length > 20, 'there is something to search')
    for (const code of codes) {
      const withCode = stored.filter((value) => patternOf(code).test(value.replaceAll(RANDOM, '')))
      assert.deepEqual(withCode, [])
      for (const hash of hashesOf(code)) assert.ok(!stored.some((value) => value.includes(hash)), code)
    }
  })
  await t.test('no bearer token, reset token, password or unkeyed hash of a password is stored', () => {
    for (const secret of [...tokens, ...resetTokens, ...passwords])
      assert.ok(!stored.some((value) => value.includes(secret)), secret)
    for (const password of passwords)
      for (const hash of hashesOf(password))
        assert.ok(!stored.some((value) => value.includes(hash)), password)
  })
  await t.test('replies contain no code or password, and each token once', () => {
    assert.ok(answers.length >= 15, 'there is something to search')
    for (const password of passwords) assert.ok(!answers.some((answer) => answer.includes(password)))
    const withoutRandom = answers.map((answer) =>
      answer.replaceAll(/"(token|resetPasswordToken|_id|requestId|referralCode)":"[^"]*"/g, ''),
    )
    for (const code of codes) assert.ok(!withoutRandom.some((answer) => patternOf(code).test(answer)), code)
    for (const token of [...tokens, ...resetTokens])
      assert.equal(answers.filter((answer) => answer.includes(token)).length, 1)
  })
  await t.test('no code, token, password or email is logged', () => {
    const lines = written.map((line) => JSON.parse(line) as Record<string, unknown>)
    assert.ok(lines.length >= 15, String(lines.length))
    for (const secret of [...tokens, ...resetTokens, ...passwords, EMAIL])
      assert.ok(!written.join('').includes(secret), secret)
    const withoutNumbers = lines.map((line) => {
      const fields = { ...line, time: undefined, pid: undefined, ms: undefined, ip: undefined }
      return JSON.stringify(fields).replaceAll(RANDOM, '')
    })
    for (const code of codes) assert.ok(!withoutNumbers.some((line) => patternOf(code).test(line)), code)
  })
})

test('logs an unexpected error without the request’s contents', async (t) => {
  const { log, text } = logLines('trace')
  const api = await accountApi(t, { log })
  api.deps.hasher.hash = () => Promise.reject(new Error('the hasher is broken'))
  assert.equal((await api.register({ password: 'a password that must not be logged' })).status, 500)
  assert.match(text(), /unexpected error/)
  assert.ok(!text().includes('a password that must not be logged'))
})
