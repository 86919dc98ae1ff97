import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { forgotPassword } from '#contract/accounts/accounts.ts'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import { CHALLENGE_EXAMPLE } from '#web/content/site/api-docs.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { testApi } from '#server/testing/api.ts'

type Example = { call: (url: string, init: object) => Promise<Response> }

test('the documented example solves the challenges beyond the rate limit', async (t) => {
  const { app } = await testApi(t)
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const folder = await scratchFolder(t)
  const file = path.join(folder, 'example.mjs')
  await writeFile(file, CHALLENGE_EXAMPLE)
  const { call } = (await import(pathToFileURL(file).href)) as Example
  const rateLimit = forgotPassword.limits?.[0] ?? assert.fail()
  for (let number = 1; number <= rateLimit.take + 1; number += 1) {
    const answer = await call(origin + API_BASE + forgotPassword.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: `somebody${number}@mail.example` }),
    })
    assert.equal(answer.status, 200, `call ${number}`)
  }
})
