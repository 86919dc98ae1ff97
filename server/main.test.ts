import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import path from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { register } from '#contract/accounts/accounts.ts'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import { twoRoles } from './testing/database.ts'
import { deadAddress } from './testing/fakes/http-stub.ts'
import { makeInitializedDataDir } from './testing/initialized-data-dir.ts'
import { isRunning, makeDataDir, run } from './testing/product.ts'
import { scratchFolder } from './testing/scratch-folder.ts'
import { until } from './testing/until.ts'

const get = (url: string) => fetch(url, { headers: { connection: 'close' } })

// Side by side, because they mostly wait for processes.
describe('the program', { concurrency: 4, timeout: 180_000 }, () => {
  test('exits with 78 and one line per problem of the environment', async (t) => {
    const { exited, output } = await run(t, { NODE_ENV: 'production', PORT: 'many', LOG_LEVEL: 'loud' })
    assert.deepEqual(await exited, { code: 78, signal: null })
    assert.ok(output.some((line) => line.startsWith('PORT ')))
    assert.ok(output.some((line) => line.startsWith('LOG_LEVEL ')))
    assert.ok(output.every((line) => !line.includes('    at ')))
  })

  test('production requires SMTP_URL and PUBLIC_URL', async (t) => {
    const { exited, output } = await run(t, { NODE_ENV: 'production' })
    assert.deepEqual(await exited, { code: 78, signal: null })
    assert.deepEqual(new Set(output.map((line) => line.split(' ')[0])), new Set(['PUBLIC_URL', 'SMTP_URL']))
  })

  test('outside production, refuses in one line to expose the mailbox beyond this machine', async (t) => {
    for (const env of [{ HOST: '0.0.0.0' }, { PUBLIC_URL: 'https://example.org' }]) {
      const { exited, output } = await run(t, env)
      assert.deepEqual(await exited, { code: 78, signal: null })
      assert.equal(output.length, 1)
      assert.match(output[0] ?? '', /^SMTP_URL is required with (HOST|PUBLIC_URL)=/)
    }
  })

  test('reports an unreachable database in one line, without its password', async (t) => {
    const { port } = new URL(await deadAddress(t))
    const { exited, output } = await run(t, { DATABASE_URL: `postgres://someone:secret@localhost:${port}/x` })
    assert.deepEqual(await exited, { code: 1, signal: null })
    assert.equal(output.length, 1)
    assert.match(
      output[0] ?? '',
      /^The database of DATABASE_URL cannot be used: nothing answers at localhost:\d+ \(ECONNREFUSED\)\. Start /,
    )
    assert.ok(!output.join().includes('secret'))
  })

  test('exits with 78 and one line when DATA_DIR is a file', async (t) => {
    const DATA_DIR = path.join(await makeDataDir(t), 'file')
    await writeFile(DATA_DIR, '')
    const { exited, output } = await run(t, { DATA_DIR })
    assert.deepEqual(await exited, { code: 78, signal: null })
    assert.deepEqual(output, [
      `DATA_DIR ${DATA_DIR} cannot be used: it is a file, not a folder. Set DATA_DIR to a folder that this account may write to.`,
    ])
  })

  test('exits with 78 and one line per mistake in the campaign file', async (t) => {
    const file = path.join(await scratchFolder(t), 'campaign.mjs')
    await writeFile(file, 'export default { id: "x", name: "", surprise: 1 }')
    const { exited, output } = await run(t, { CAMPAIGN_CONFIG: file })
    assert.deepEqual(await exited, { code: 78, signal: null })
    for (const wrong of ['id', 'name', 'surprise', 'token', 'airdrop']) {
      assert.ok(
        output.some((line) => line.includes(`: ${wrong} `)),
        `${wrong} is named in\n${output.join('\n')}`,
      )
    }
  })

  for (const signal of ['SIGTERM', 'SIGHUP'] as const)
    test(`on ${signal} ends streams and exits with 0`, async (t) => {
      const { env } = await twoRoles(t)
      const program = await run(t, env)
      const stream = await fetch(`${program.url}${API_BASE}/events`)
      program.signal(signal)
      await stream.text()
      assert.deepEqual(await program.exited, { code: 0, signal: null })
    })

  test('for DRAIN_SECONDS after SIGTERM reports not ready, but serves new connections', async (t) => {
    const { env } = await twoRoles(t)
    // A machine may be too busy to send both requests in the longest drain, 9 s: then another program is asked.
    await until('both requests were sent within the drain', async () => {
      const program = await run(t, { ...env, DRAIN_SECONDS: '9' })
      // Its first connection to the database has a second, which is short on a busy machine.
      await until('it is ready', async () => (await get(`${program.url}/readyz`)).status === 200)
      const drainEnd = Date.now() + 9_000
      program.signal('SIGTERM')
      try {
        await until('it is not ready', async () => (await get(`${program.url}/readyz`)).status === 503)
        assert.equal((await get(`${program.url}${API_BASE}/campaign`)).status, 200)
        return true
      } catch (error) {
        if (Date.now() < drainEnd) throw error
        return false
      } finally {
        program.signal('SIGKILL')
      }
    })
  })

  test('stops the database and loses nothing when a client delays the stop', async (t) => {
    const DATA_DIR = await makeInitializedDataDir(t)
    const program = await run(t, { DATA_DIR })
    assert.equal(await tryRegister(program.url, 'kept', 'a'), 201)
    const postmaster = Number.parseInt(await readFile(pidFile(DATA_DIR), 'utf8'), 10)
    process.kill(postmaster, 0)
    // A request whose body is never completed.
    const { port } = new URL(program.url)
    const client = connect(Number(port), '127.0.0.1')
    t.after(() => client.destroy())
    client.on('error', () => {})
    await once(client, 'connect')
    client.write(
      `POST ${API_BASE}${register.path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n` +
        'expect: 100-continue\r\ncontent-length: 100\r\n\r\n{',
    )
    // The server has the headers.
    await once(client, 'data')
    program.signal('SIGTERM')
    assert.deepEqual(await program.exited, { code: 0, signal: null })
    // Told to stop before the program ends, but on a busy machine not gone by then.
    await until('the database is gone', () => !isRunning(postmaster))
    const again = await run(t, { DATA_DIR })
    assert.equal(await tryRegister(again.url, 'kept', 'b'), 409)
  })

  test('keeps every acknowledged change after SIGTERM and after SIGKILL', async (t) => {
    const DATA_DIR = await makeInitializedDataDir(t)
    const names: string[] = []
    for (const signal of ['SIGTERM', 'SIGKILL', 'SIGKILL'] as const) {
      const program = await run(t, { DATA_DIR, TRUST_PROXY: 'loopback' })
      for (const name of names)
        assert.equal(await tryRegister(program.url, name, 'b'), 409, `${name} is taken`)
      const name = `kept${names.length}`
      assert.equal(await tryRegister(program.url, name, 'a'), 201)
      names.push(name)
      program.signal(signal)
      await program.exited
    }
  })

  test('workers share one port, a killed one is replaced, SIGTERM ends all', async (t) => {
    const program = await run(t, { DATA_DIR: await makeInitializedDataDir(t), WORKERS: '2' })
    const pids = new Set<number>()
    const haveAnswered = async (count: number) => {
      for (const pid of await workerPids(program.url)) pids.add(pid)
      return pids.size === count
    }
    await until('both workers have answered', () => haveAnswered(2))
    process.kill([...pids][0] ?? 0, 'SIGKILL')
    await until('a third worker has answered', () => haveAnswered(3))
    program.signal('SIGTERM')
    assert.deepEqual(await program.exited, { code: 0, signal: null })
    for (const pid of pids) assert.throws(() => process.kill(pid, 0), 'the worker is gone')
  })

  test('stops the database when the secret that the workers would share is damaged', async (t) => {
    const DATA_DIR = await makeInitializedDataDir(t)
    await writeFile(path.join(DATA_DIR, 'app-secret'), 'short')
    const program = await run(t, { DATA_DIR, WORKERS: '2' })
    assert.deepEqual(await program.exited, { code: 1, signal: null })
    assert.match(program.output.join('\n'), /app-secret is damaged/)
    await assert.rejects(readFile(pidFile(DATA_DIR)), { code: 'ENOENT' })
  })

  test('names a taken port and leaves nothing running', async (t) => {
    const port = await takePort(t)
    const DATA_DIR = await makeInitializedDataDir(t)
    const program = await run(t, { DATA_DIR, PORT: String(port) })
    assert.equal((await program.exited).code, 1)
    await assert.rejects(readFile(pidFile(DATA_DIR)), { code: 'ENOENT' })
    assert.match(program.output.join('\n'), new RegExp(`Port ${port} is taken`))
  })
})

/** The pid file of a DATA_DIR's PostgreSQL; exists while it runs. */
const pidFile = (dataDir: string) => path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid')

/** A port that is in use until the test ends. */
async function takePort(t: TestContext): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  t.after(() => listener.close())
  return (listener.address() as AddressInfo).port
}

let networks = 0

/** Registers `name`, with an email made of it and `variant`, from a new network. @returns the status. */
async function tryRegister(url: string, name: string, variant: string): Promise<number> {
  networks += 1
  const response = await fetch(url + API_BASE + register.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.0.0.${networks}` },
    body: JSON.stringify({
      username: name,
      email: `${name}${variant}@mail.example`,
      password: 'correct horse battery',
    }),
  })
  return response.status
}

/** Pids of the workers that answer on many connections. */
async function workerPids(url: string): Promise<number[]> {
  const answers = Array.from({ length: 24 }, () => processOf(url).catch(() => 0))
  return (await Promise.all(answers)).filter((pid) => pid !== 0)
}

async function processOf(url: string): Promise<number> {
  const text = await (await get(`${url}/metrics`)).text()
  return Number(/^process_id (\d+)$/m.exec(text)?.[1] ?? 0)
}
