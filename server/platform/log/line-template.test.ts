import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from './log.ts'
import { createLineTemplate } from './line-template.ts'

const RECORD = { method: 'GET', path: '/a"b', parameters: ['utm_source'], status: 200 }
const VALUES = [
  { reqId: '01a20d6d-2267-7000-96ae-45d47c656044', ms: 0, network: 'a1b2' },
  { reqId: '01a20d6d-2267-7001-9bc2-2bd0a2d06a0f', ms: 12, network: 'c3d4' },
]

function logOf(level: string) {
  const lines: string[] = []
  return { lines, log: createLog(level, { write: (line: string) => void lines.push(line) }) }
}

test('writes the lines that the log itself would write', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_764_000_000_000 })
  const { lines, log } = logOf('info')
  const child = log.child({ app: 1 }, { redact: [] })
  const write = createLineTemplate(child, RECORD, 'request')
  for (const values of VALUES) {
    write(values)
    child.info({ ...RECORD, ...values }, 'request')
    t.mock.timers.tick(5)
  }
  assert.equal(lines.length, 4)
  assert.equal(lines[0], lines[1])
  assert.equal(lines[2], lines[3])
  assert.match(lines[2] ?? '', /"time":1764000000005.*"ms":12,"network":"c3d4"/)
})

test('writes nothing if the level of the log leaves the lines out', () => {
  const { lines, log } = logOf('warn')
  createLineTemplate(log, RECORD, 'request')({ reqId: 'r', ms: 1, network: 'n' })
  assert.deepEqual(lines, [])
})
