import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { explainDatabaseError } from './database-error.ts'
import { Misconfigured } from './platform/misconfigured.ts'

const database = { variable: 'DATABASE_URL', url: 'postgres://app:hunter2@db.example:6432/airdrop' }

const postgresError = (code: string, message: string) =>
  Object.assign(new pg.DatabaseError(message, 1, 'error'), { code })
const systemError = (code: string, message = '') => Object.assign(new Error(message), { code })

const CASES: [name: string, error: Error, isMisconfigured: boolean, line: RegExp][] = [
  [
    'a wrong password',
    postgresError('28P01', 'password authentication failed for user "app"'),
    true,
    /: password authentication failed for user "app"\. Correct the user and the password in DATABASE_URL\.$/,
  ],
  [
    'an unknown host',
    systemError('ENOTFOUND', 'getaddrinfo ENOTFOUND db.example'),
    false,
    /: there is no host db\.example \(ENOTFOUND\)\. Correct DATABASE_URL\.$/,
  ],
  [
    'several addresses that do not answer, for which Node’s error has no message',
    systemError('ECONNREFUSED'),
    false,
    /: nothing answers at db\.example:6432 \(ECONNREFUSED\)\. Start PostgreSQL there, or correct DATABASE_URL\.$/,
  ],
  [
    'silence',
    new Error('Connection terminated due to connection timeout'),
    false,
    /: nothing answers at db\.example:6432 \(timeout\)\. /,
  ],
  ['anything else, on one line', new Error('one\n  two'), false, /cannot be used: one two$/],
]

for (const [name, error, isMisconfigured, line] of CASES)
  test(`explains ${name}`, () => {
    const explained = explainDatabaseError(error, database)
    assert.match(explained.message, line)
    assert.match(explained.message, /^The database of DATABASE_URL cannot be used: /)
    assert.equal(explained instanceof Misconfigured, isMisconfigured)
    assert.doesNotMatch(explained.message, /hunter2|\n/)
  })

test('names DATA_DIR for the embedded database, and keeps the advice of a Misconfigured error', () => {
  const newer = explainDatabaseError(new Misconfigured('it is newer.'), undefined)
  assert.ok(newer instanceof Misconfigured)
  assert.equal(newer.message, 'The database in DATA_DIR cannot be used: it is newer.')
})
