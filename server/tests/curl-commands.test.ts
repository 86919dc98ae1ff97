import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { text } from 'node:stream/consumers'
import campaign from '#server/testing/campaign.ts'
import { buildWorld } from '#server/testing/chain/world.ts'
import { startAnvil } from '#server/testing/fakes/anvil.ts'
import { serveStub } from '#server/testing/fakes/http-stub.ts'
import { MAX_ANSWER_LENGTH } from '#contract/token-proofs/proof.ts'
import { checkToken } from '#contract/token-proofs/check-token.ts'
import { bodyOf, createJsonRpc, forChain, type Post } from '#contract/token-proofs/rpc.ts'
import { subjectOf } from '#contract/token-proofs/subject.ts'
import { curlCommand } from '#web/content/site/proofs.ts'

const run = promisify(execFile)
const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
)
const inShell = async (command: string) => (await run('sh', ['-c', command], { maxBuffer: 2 ** 26 })).stdout

/** The words into which a POSIX shell splits the command. */
async function wordsOf(command: string): Promise<string[]> {
  const words = await inShell(`curl() { printf '%s\\0' curl "$@"; }; ${command}`)
  return words.split('\0').slice(0, -1)
}

const CALLS = [
  { method: 'eth_call', params: [{ to: '0x1', data: '0x8da5cb5b' }, 'latest'] },
  { method: `it's "quoted" $(id) \`id\` \\ %41 é`, params: ['[1-2]{a,b}', null] },
]
/** Like the second method, with characters that mean something to a shell or to curl. */
const URLS = [
  'https://rpc.example',
  `https://rpc.example/a'b"$(id)\`id\`;|&?x=[1-3]{c,d}*%20#frag`,
  'https://rpc.example/$HOME\\~!',
]

test("a shell hands a command's address and calls to curl unchanged, whatever they contain", async () => {
  for (const url of URLS) {
    const words = await wordsOf(curlCommand(url, CALLS))
    assert.equal(words[0], 'curl')
    assert.ok(words.includes(url), words.join(' '))
    const body = words[words.indexOf('-d') + 1] ?? ''
    assert.deepEqual(JSON.parse(body), CALLS.map(bodyOf))
    assert.ok(words.includes('content-type: application/json'))
  }
  // A single call is sent without a list.
  const words = await wordsOf(curlCommand('https://rpc.example', CALLS.slice(0, 1)))
  assert.deepEqual(JSON.parse(words[words.indexOf('-d') + 1] ?? ''), CALLS.map(bodyOf)[0])
})

test("curl sends a command's address and calls unchanged", { skip: !hasCurl }, async (t) => {
  const requests: { url: string | undefined; body: string }[] = []
  const node = await serveStub(t, async (request, response) => {
    requests.push({ url: request.url, body: await text(request) })
    response.end('[]')
  })
  const path = `/a'b$(id)%20?x=[1-3]{c,d}`
  await inShell(curlCommand(`${node}${path}`, CALLS))
  const [request] = requests
  assert.equal(requests.length, 1)
  assert.equal(request?.url, path)
  assert.deepEqual(JSON.parse(request?.body ?? ''), CALLS.map(bodyOf))
})

test("a token claim's command prints the answers its verdict rests on", { skip: !hasCurl }, async (t) => {
  const chain = await startAnvil()
  t.after(() => chain.stop())
  const world = await buildWorld(chain, ['fair'])
  const subject = subjectOf(world.campaignOf(campaign, 'fair'))
  const { proofs } = await checkToken(forChain(createJsonRpc(postTo(chain.url)), subject.chainId), subject)
  const verdicts = proofs.map(({ verdict }) => verdict)
  assert.deepEqual(verdicts, Array(5).fill('proven'))
  for (const { claim, asked } of proofs) {
    const printed = [JSON.parse(await inShell(curlCommand(chain.url, asked))) as unknown].flat()
    const answers = printed as { id: number; result?: unknown; error?: { code: number } }[]
    assert.equal(answers.length, asked.length, claim)
    for (const [index, { answer, method }] of asked.entries()) {
      // Ids begin at 1. A function that the token lacks gives no result.
      const { result } = answers.find(({ id }) => id === index + 1) ?? {}
      if (result !== undefined) assert.equal(shortened(result), answer, `${claim} ${method}`)
    }
    assert.ok(
      answers.some(({ result }) => result !== undefined),
      claim,
    )
  }
})

/** An answer as proofs contain it: cut off at MAX_ANSWER_LENGTH. */
function shortened(result: unknown): string {
  const json = JSON.stringify(result)
  return json.length > MAX_ANSWER_LENGTH ? `${json.slice(0, MAX_ANSWER_LENGTH)}…` : json
}

const postTo =
  (url: string): Post =>
  async (body) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: response.status, text: await response.text() }
  }
