import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../log.ts'
import { terminalLog } from './terminal-log.ts'

const CLEAR = '\r\x1b[2K'

function atTerminal() {
  let written = ''
  const terminal = terminalLog({ write: (text) => (written += text) }, { colorize: false })
  const takeWritten = () => {
    const text = written
    written = ''
    return text
  }
  return { terminal, log: createLog('info', terminal), takeWritten }
}

test('shows the steps of the start on one line, which warnings interrupt', () => {
  const { terminal, log, takeWritten } = atTerminal()
  terminal.show('Starting the database')
  log.info('Applied 0001_accounts.sql')
  assert.equal(takeWritten(), `${CLEAR}Starting the database${CLEAR}Applied 0001_accounts.sql`)
  log.warn('Few connections')
  const warning = takeWritten().replace(CLEAR, 'cleared ')
  assert.match(warning, /^cleared \[\d\d:\d\d:\d\d\] WARN: Few connections\n$/)
  terminal.endProgress()
  assert.equal(takeWritten(), CLEAR)
})

test('writes no JSON after the start: requests in short, errors with their stack', () => {
  const { terminal, log, takeWritten } = atTerminal()
  terminal.endProgress()
  takeWritten()
  const request = { reqId: 'r1', method: 'GET', path: '/about', status: 200, ms: 3, network: 'a1' }
  log.info(request, 'request')
  assert.match(takeWritten(), /^\[\d\d:\d\d:\d\d\] INFO: GET \/about 200, 3 ms\n$/)
  log.error({ err: new Error('broken') }, 'sending failed')
  const lines = takeWritten()
  assert.match(lines, /ERROR: sending failed\n.*Error: broken.*terminal-log\.test/s)
  assert.doesNotMatch(lines, /^\{/m)
})

test('cuts a step to one column less than a terminal of 80', () => {
  const { terminal, takeWritten } = atTerminal()
  terminal.show('x'.repeat(200))
  assert.equal(takeWritten(), CLEAR + 'x'.repeat(79))
})

test('passes no control characters of a text on to the terminal', () => {
  const { terminal, log, takeWritten } = atTerminal()
  terminal.endProgress()
  takeWritten()
  const text = 'a \u001B[2J b \r c \u009B31m d \u007F e \\u001b \\ "f"'
  log.warn({ note: text, err: new Error(text) }, text)
  const lines = takeWritten()
  assert.doesNotMatch(lines, /[^\P{Cc}\n\t]/u, 'a control other than line feeds and tabs')
  assert.ok(lines.includes(String.raw`a ?[2J b ? c ?31m d ? e \u001b \ "f"`), lines)
  log.info('\u001B]0;title\u0007')
  assert.match(takeWritten(), /INFO: \?]0;title\?\n$/)
})
