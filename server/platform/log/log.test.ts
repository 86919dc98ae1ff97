import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text as textOf } from 'node:stream/consumers'
import { test } from 'node:test'
import pg from 'pg'
import { testDatabase } from '#server/testing/database/database.ts'
import { logLines } from '#server/testing/checks/log-lines.ts'
import { createLineTemplate, inBatches, withoutEmails } from './log.ts'

const SECRET = 'victim.person@mail.example'

test('logs a database error without the row and the value that it quotes', async (t) => {
  const { url } = await testDatabase(t)
  const client = new pg.Client(url)
  await client.connect()
  await client.query('create temp table things (email text primary key, size int check (size > 0))')
  await client.query('insert into things values ($1, 1)', [SECRET])
  const { log, lines, text } = logLines()
  const cases: [statement: string, values: unknown[], code: string, constraint?: string][] = [
    ['insert into things values ($1, 1)', [SECRET], '23505', 'things_pkey'],
    ['insert into things values ($1, -1)', [`second.${SECRET}`], '23514', 'things_size_check'],
    ['select $1::uuid', ['victim-in-a-value'], '22P02'],
    ['do $$ begin perform victim(); end $$', [], '42883'],
  ]
  for (const [statement, values] of cases) {
    const error: unknown = await client.query(statement, values).catch((caught: unknown) => caught)
    assert.ok(error instanceof pg.DatabaseError)
    log.error({ err: new Error(`${SECRET} could not be kept`, { cause: error }) }, 'failed')
  }
  await client.end()
  const logged = lines().map(({ err }) => err as { stack: string; cause: Record<string, unknown> })
  const causes = logged.map(({ cause }) => [cause['code'], cause['constraint']])
  const expected = cases.map(([, , code, constraint]) => [code, constraint])
  assert.deepEqual(causes, expected)
  assert.match(String(logged[0]?.cause['message']), /^duplicate key value violates unique constraint/)
  assert.match(logged[0]?.stack ?? '', /log\.test/)
  assert.doesNotMatch(text(), /victim\.|victim-|"(detail|where|hint|internalQuery|query|parameters)"/)
})

test('logs aggregate errors and values that are not errors', () => {
  const { log, lines } = logLines()
  const both = new AggregateError([new Error('one'), Object.assign(new Error('two'), { code: 'ECONNRESET' })])
  log.warn({ err: both }, 'failed')
  log.warn({ err: `thrown at ${SECRET}` }, 'failed')
  const [first, second] = lines().map(({ err }) => err)
  const { errors } = first as { errors: { message: string; code?: string }[] }
  const logged = errors.map(({ message, code }) => [message, code])
  assert.deepEqual(logged, [
    ['one', undefined],
    ['two', 'ECONNRESET'],
  ])
  assert.equal(second, 'thrown at …')
})

const END = {
  'an exit': 'process.exit(0)',
  'an uncaught error': 'throw new Error("on purpose")',
  'the end of all work': '',
}
for (const [what, end] of Object.entries(END))
  test(`no line of the log is lost at ${what}, and each is whole`, async () => {
    const file = new URL('./log.ts', import.meta.url).href
    const script = `
      import { createLog } from '${file}'
      const log = createLog('info')
      for (let line = 0; line < 1_000; line += 1) log.info({ line }, 'ü'.repeat(line % 50))
      ${end}`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const written = await textOf(child.stdout)
    const lines = written.trimEnd().split('\n')
    const numbers = lines.map((line) => (JSON.parse(line) as { line: number }).line)
    const expected = Array.from({ length: 1_000 }, (_, line) => line)
    assert.deepEqual(numbers, expected)
  })

test('masks emails in linear time', () => {
  const local = 'l'.repeat(64)
  const masked = withoutEmails(`<${local}@mail.example>: no such user a@b, c@d.example`)
  assert.equal(masked, '<…>: no such user …, …')
  const before = process.cpuUsage()
  assert.equal(withoutEmails('x'.repeat(50_000)).length, 50_000)
  assert.ok(process.cpuUsage(before).user < 500_000, 'less than half a second')
})

test('writes the lines of 20 ms together, in pieces that a pipe takes as a whole', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const written: string[] = []
  const output = inBatches({ write: (batch: string) => void written.push(batch) })
  // 300 bytes, so 13 lines fit into a piece of 4,096.
  const line = `${'ü'.repeat(149)} \n`
  for (let count = 0; count < 30; count += 1) output.write(line)
  assert.equal(written.length, 2, 'two full pieces')
  t.mock.timers.tick(19)
  assert.equal(written.length, 2)
  t.mock.timers.tick(1)
  assert.equal(written.join(''), line.repeat(30))
  for (const batch of written) assert.ok(Buffer.byteLength(batch) <= 4_096 && batch.endsWith('\n'))
})

const RECORD = { method: 'GET', path: '/a"b', parameters: ['utm_source'], status: 200 }
const VALUES = [
  { reqId: '01a20d6d-2267-7000-96ae-45d47c656044', ms: 0, network: 'a1b2' },
  { reqId: '01a20d6d-2267-7001-9bc2-2bd0a2d06a0f', ms: 12, network: 'c3d4' },
]

test('a line template writes the lines that the log itself would write', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_764_000_000_000 })
  const { text, log } = logLines()
  const child = log.child({ app: 1 }, { redact: [] }) // redacts nothing, like the log of requests
  const write = createLineTemplate(child, RECORD, 'request')
  for (const values of VALUES) {
    write(values)
    child.info({ ...RECORD, ...values }, 'request')
    t.mock.timers.tick(5)
  }
  const lines = text().trimEnd().split('\n')
  assert.equal(lines.length, 4)
  assert.equal(lines[0], lines[1])
  assert.equal(lines[2], lines[3])
  assert.match(lines[2] ?? '', /"time":1764000000005.*"ms":12,"network":"c3d4"/)
})

test('a line template writes nothing when the level of the log is above info', () => {
  const { text, log } = logLines('warn')
  createLineTemplate(log, RECORD, 'request')({ reqId: 'r', ms: 1, network: 'n' })
  assert.equal(text(), '')
})
