import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deployment } from '#server/testing/doctor.ts'
import { CHECKS, examine, hasProblem, reportLines } from './examine.ts'
import { couldNotTell, fine, inWords, wrong } from './finding.ts'
import type { Check } from './subject.ts'

const check = (name: string, run: Check['examine'], reads: string[] = []) => ({
  name,
  reads,
  examine: run,
})

test('a check that hangs, fails or lacks its variable could not tell', async () => {
  const aborted = Promise.withResolvers<void>()
  const findings = await examine(deployment({ SMTP_URL: 'imap://mail' }), {
    checks: [
      check('hangs', (_subject, signal) => {
        signal.addEventListener('abort', () => aborted.resolve())
        return new Promise(() => {})
      }),
      check('fails', () => Promise.reject(new Error('no luck\nat all'))),
      check('lacks', () => assert.fail('must not run'), ['SMTP_URL']),
      check('works', () => fine('Good.')),
    ],
    limitMs: 10,
  })
  await aborted.promise
  const shown = findings.map(({ name, outcome, lines }) => [name, outcome, inWords(lines[0] ?? '')])
  assert.deepEqual(shown, [
    ['hangs', 'could_not_tell', 'It took longer than 0.01 s.'],
    ['fails', 'could_not_tell', 'The check failed: no luck'],
    ['lacks', 'could_not_tell', 'SMTP_URL cannot be used (see environment).'],
    ['works', 'fine', 'Good.'],
  ])
  assert.equal(hasProblem(findings), false)
})

test('a database that cannot be used is not replaced by the embedded one', async () => {
  const findings = await examine(deployment({ DATABASE_URL: 'mysql://db' }), { limitMs: 300_000 })
  const names = findings.map(({ name }) => name)
  assert.deepEqual(
    names,
    CHECKS.map(({ name }) => name),
  )
  const { lines } = findings.find(({ name }) => name === 'database') ?? assert.fail()
  assert.deepEqual(lines, ['DATABASE_URL cannot be used (see environment).'])
})

test('the report ends with the checks that found problems, and with a list of the problems', () => {
  const report = reportLines([
    { name: 'mail', ...wrong(['No SPF: add it.', 'No DMARC: add it.']) },
    { name: 'disk', ...fine('9 GB free.', ['Little.']) },
    { name: 'clock', ...couldNotTell('Nobody answers.') },
  ])
  assert.deepEqual(report, [
    'disk   fine            9 GB free.',
    '       note            Little.',
    'clock  could not tell  Nobody answers.',
    'mail   wrong           No SPF: add it.',
    '                       No DMARC: add it.',
    '',
    '2 problems to fix; 1 check could not tell.',
    '1. mail: No SPF: add it.',
    '2. mail: No DMARC: add it.',
  ])
})
