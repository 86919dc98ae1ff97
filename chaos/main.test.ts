import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { until } from '#server/testing/until.ts'

test('Ctrl-C ends a run, and nothing is left behind', async (t) => {
  const scratch = await scratchFolder(t)
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts'), '--minutes', '60'], {
    env: { ...process.env, TMPDIR: scratch },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  await until('nodes are being started', () => globSync('*/campaign.json', { cwd: scratch }).length > 0)
  // Ctrl-C reaches a program twice: from the terminal, and from its parent, such as npm.
  for (let times = 1; times <= 2; times += 1) child.kill('SIGINT')
  assert.deepEqual(await exited, [0, null])
  assert.deepEqual(await readdir(scratch), [])
})
