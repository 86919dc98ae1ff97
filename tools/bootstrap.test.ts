import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Lifetime } from '#server/testing/product.ts'
import { writeFiles } from '#server/testing/scratch-folder.ts'
import { until } from '#server/testing/until.ts'

const TOOLS = import.meta.dirname

/** Prints its pid, SIGTERM and the loss of the IPC channel; exits with 7 on SIGTERM. */
const SERVER = `
process.on('SIGTERM', () => { console.log('got SIGTERM'); process.exit(7) })
process.on('disconnect', () => { console.log('got disconnect'); process.exit(0) })
console.log('server', process.pid)
setInterval(() => {}, 1000)`

const READY = /server (\d+)/

const BUILD_SITE = `
import { mkdirSync, rmSync } from 'node:fs'
rmSync('dist/site', { recursive: true, force: true })
mkdirSync('dist/site', { recursive: true })
console.log('built by', process.pid)`

const BUILD_SERVER = `
import { copyFileSync, mkdirSync } from 'node:fs'
mkdirSync('dist/server', { recursive: true })
copyFileSync('server/main.ts', 'dist/server/main.js')
console.log('bundled by', process.pid)`

const MESSAGES = `
import { mkdirSync } from 'node:fs'
mkdirSync('generated/messages', { recursive: true })`

/** A checkout with the real bootstrap and a minimal product. Its only package is a folder, not a download. */
async function makeCheckout(t: Lifetime, infix = ''): Promise<string> {
  const root = await makeRoot(t, infix)
  await cp(path.join(TOOLS, 'bootstrap.mjs'), path.join(root, 'tools/bootstrap.mjs'))
  await cp(path.join(TOOLS, 'setup'), path.join(root, 'tools/setup'), { recursive: true })
  const product = { name: 'product', version: '1.0.0', dependencies: { part: 'file:part' } }
  const part = { name: 'part', version: '1.0.0' }
  const packages = { '': product, part, 'node_modules/part': { resolved: 'part', link: true } }
  const scripts = { start: 'exec node tools/bootstrap.mjs start' }
  await writeFiles(root, {
    'package.json': JSON.stringify({ ...product, type: 'module', scripts }),
    'package-lock.json': JSON.stringify({ ...product, lockfileVersion: 3, packages }),
    'part/package.json': JSON.stringify(part),
    'server/main.ts': SERVER,
    'tools/build-site.ts': BUILD_SITE,
    'tools/build-server.ts': BUILD_SERVER,
    'tools/messages/main.ts': MESSAGES,
    'web/page.ts': 'export {}',
  })
  return root
}

async function makeRoot(t: Lifetime, infix = ''): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), `dropwright-bootstrap-${infix}`))
  t.after(() => rm(root, { recursive: true, force: true, maxRetries: 5 }))
  return root
}

const built = await makeCheckout({ after })
await promisify(execFile)(process.execPath, ['tools/bootstrap.mjs', 'build'], {
  cwd: built,
  env: environment(),
})

/** Copies a checkout that is installed and built, because installing and building take a second. */
async function makeBuiltCheckout(t: TestContext): Promise<string> {
  const root = await makeRoot(t)
  await cp(built, root, { recursive: true, verbatimSymlinks: true })
  return root
}

type Started = {
  child: ChildProcess
  output: () => string
  /** Waits until the output matches. @returns the pattern's first group; if it has none, the match. */
  says: (pattern: RegExp) => Promise<string>
}

const start = (t: TestContext, root: string, command = 'start'): Started =>
  spawnIn(t, root, process.execPath, ['tools/bootstrap.mjs', command])

function spawnIn(t: TestContext, root: string, program: string, args: string[]): Started {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: environment() })
  t.after(() => child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const says = async (pattern: RegExp) => {
    for (const deadline = Date.now() + 90_000; Date.now() < deadline; await pause(20)) {
      const match = pattern.exec(output)
      if (match) return match[1] ?? match[0]
    }
    throw new Error(`The output never matched ${pattern}:\n${output}`)
  }
  return { child, output: () => output, says }
}

async function startUntilReady(t: TestContext, root: string): Promise<Started> {
  const started = start(t, root)
  await started.says(READY)
  return started
}

async function startAndEnd(t: TestContext, root: string): Promise<string> {
  const started = await startUntilReady(t, root)
  await end(started, 'SIGTERM')
  return started.output()
}

async function runToEnd(t: TestContext, root: string, command?: string) {
  const started = start(t, root, command)
  await ended(started)
  return { exitCode: started.child.exitCode, output: started.output() }
}

/** The environment of a shell, without the variables that npm adds. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')))
}

/** Waits for the exit, and for output that arrives after it. */
const ended = ({ child }: Started) => once(child, 'close')

async function end(started: Started, signal: NodeJS.Signals): Promise<number | null> {
  // The program may outlive a killed bootstrap. It then keeps the output open, which delays `close`.
  const exited = signal === 'SIGKILL' ? once(started.child, 'exit') : ended(started)
  started.child.kill(signal)
  await exited
  return started.child.exitCode
}

/** The command line of a zombie is empty. */
const untilGone = (pid: number) =>
  until(
    `process ${pid} is gone`,
    async () => (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) === '',
  )

test('SIGTERM reaches the program, and the program’s exit code is passed on', async (t) => {
  const started = await startUntilReady(t, await makeBuiltCheckout(t))
  assert.equal(await end(started, 'SIGTERM'), 7)
  assert.match(started.output(), /got SIGTERM/)
})

test('a start builds the site or the server when its sources have changed, not when a test has', async (t) => {
  const root = await makeBuiltCheckout(t)
  const change = async (file: string, content: string) => {
    await writeFile(path.join(root, file), content)
    return startAndEnd(t, root)
  }
  const ofSite = await change('web/page.ts', 'export const changed = true')
  assert.match(ofSite, /Building the site/)
  assert.doesNotMatch(ofSite, /Installing/)
  const ofServer = await change('server/main.ts', SERVER.replace('server', 'changed server'))
  assert.match(ofServer, /Bundling the server[^]*changed server/)
  assert.doesNotMatch(ofServer, /Building/)
  assert.doesNotMatch(await change('server/main.test.ts', '// A new test.'), /Building|Bundling/)
})

test('keeps packages that npm has installed already, but installs again when the lock file changes', async (t) => {
  const root = await makeBuiltCheckout(t)
  await rm(path.join(root, 'node_modules/.dropwright-install'))
  assert.doesNotMatch(await startAndEnd(t, root), /Installing/)
  const lock = await readFile(path.join(root, 'package-lock.json'), 'utf8')
  await writeFile(path.join(root, 'package-lock.json'), lock.replaceAll('1.0.0', '1.0.1'))
  assert.match((await startUntilReady(t, root)).output(), /Installing packages/)
})

test('fails without installing anything when the lock file does not match package.json', async (t) => {
  const root = await makeCheckout(t)
  const product = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as object
  const other = { ...product, dependencies: { part: 'file:part', other: 'file:other' } }
  await writeFiles(root, {
    'other/package.json': JSON.stringify({ name: 'other', version: '1.0.0' }),
    'package.json': JSON.stringify(other),
  })
  const { exitCode, output } = await runToEnd(t, root)
  assert.equal(exitCode, 1)
  assert.match(output, /The packages could not be installed:\n[^]*npm ci/)
  assert.doesNotMatch(output, /server \d|Installed packages/)
})

test('two simultaneous first starts share one installation and one build, and a later start needs neither', async (t) => {
  const root = await makeCheckout(t)
  const both = [start(t, root), start(t, root)]
  await Promise.all(both.map(({ says }) => says(READY)))
  const output = both.map((started) => started.output()).join('')
  const setUp =
    /Installing packages\nInstalled packages in \d+ s\nBuilding the site\nbuilt by \d+\nBundling the server\nbundled by/g
  assert.equal(output.match(setUp)?.length, 1)
  for (const done of [/Installed packages/g, /built by/g, /bundled by/g])
    assert.equal(output.match(done)?.length, 1, String(done))
  assert.doesNotMatch(await startAndEnd(t, root), /Installing|Building|Bundling/)
})

test('takes over a lock whose holder was killed', async (t) => {
  const root = await makeBuiltCheckout(t)
  await rm(path.join(root, 'dist'), { recursive: true }) // so that the start needs the lock
  // No process with this pid started at time 1, so the lock's holder is gone.
  await writeFile(path.join(root, '.cache/set-up.lock'), `${process.pid} 1`)
  await startUntilReady(t, root)
})

for (const [program, title, message] of [
  ['tools/build-site.ts', 'Building the site', 'The site could not be built.'],
  ['tools/build-server.ts', 'Bundling the server', 'The server could not be bundled.'],
] as const)
  test(`does not start the program when ${program} fails, and builds again at the next start`, async (t) => {
    const root = await makeBuiltCheckout(t)
    const file = path.join(root, program)
    const working = await readFile(file, 'utf8')
    await writeFile(file, 'process.exit(3)')
    const { exitCode, output } = await runToEnd(t, root)
    assert.equal(exitCode, 1)
    assert.ok(output.includes(message))
    assert.doesNotMatch(output, READY)
    await writeFile(file, working)
    const again = await startUntilReady(t, root)
    assert.ok(again.output().includes(title))
  })

test('a build removes the marker of an older version, so that a downgrade builds again', async (t) => {
  const root = await makeBuiltCheckout(t)
  await rm(path.join(root, 'dist/site'), { recursive: true })
  const marker = path.join(root, 'dist/.sources')
  await writeFile(marker, 'of an earlier version')
  await startUntilReady(t, root)
  assert.equal(existsSync(marker), false)
})

test('a command runs from its bundle, or from its source when the bundle is missing or outdated', async (t) => {
  const root = await makeBuiltCheckout(t)
  await mkdir(path.join(root, 'server/commands'))
  const source = path.join(root, 'server/commands/doctor.ts')
  await writeFile(source, "console.log('runs from the source')")
  const runDoctor = async () => (await runToEnd(t, root, 'doctor')).output
  assert.match(await runDoctor(), /runs from the source\n$/)
  await runToEnd(t, root, 'build')
  await writeFile(path.join(root, 'dist/server/doctor.js'), "console.log('runs from the bundle')")
  assert.equal(await runDoctor(), 'runs from the bundle\n')
  await writeFile(source, "console.log('runs from the edited source')")
  assert.equal(await runDoctor(), 'runs from the edited source\n')
})

test('a user who cannot write to the checkout reads who has to build it, and exits with 78', async (t) => {
  const root = await makeCheckout(t)
  // Nobody can write to this folder, not even root.
  await symlink(process.platform === 'linux' ? '/sys' : '/System', path.join(root, '.cache'))
  const { exitCode, output } = await runToEnd(t, root)
  assert.equal(exitCode, 78) // A restart cannot help.
  assert.match(output, /^E(ACCES|PERM|ROFS): .*\nSomething has to be .* as its owner\.\n$/)
})

for (const character of '#$')
  test(`refuses a folder with a ${character} in its path before it installs anything`, async (t) => {
    const root = await makeCheckout(t, `campaign${character}1-`)
    const output = `Dropwright cannot be set up in a folder with a ${character} in its path: rename ${root}\n`
    assert.deepEqual(await runToEnd(t, root), { exitCode: 78, output })
  })

test('the program is disconnected and exits when the bootstrap is killed with SIGKILL', async (t) => {
  const started = start(t, await makeBuiltCheckout(t))
  const pid = Number(await started.says(READY))
  await end(started, 'SIGKILL')
  await started.says(/got disconnect/)
  await untilGone(pid)
})

test(
  'the program is terminated when npm is killed with SIGKILL',
  { skip: process.platform !== 'linux' },
  async (t) => {
    const started = spawnIn(t, await makeBuiltCheckout(t), 'npm', ['start'])
    const pid = Number(await started.says(READY))
    await end(started, 'SIGKILL')
    await started.says(/got SIGTERM/)
    await untilGone(pid)
  },
)

test('dev restarts the program when a source changes, even after a crash', async (t) => {
  const root = await makeBuiltCheckout(t)
  const started = start(t, root, 'dev')
  const pid = Number(await started.says(READY))
  await writeFile(path.join(root, 'server/main.ts'), 'throw new Error("half a thought")')
  await started.says(/The program ended with 1\. It will start again at the next change/)
  await untilGone(pid)
  await writeFile(path.join(root, 'server/main.ts'), SERVER)
  await started.says(/half a thought[^]*server \d+/)
  assert.doesNotMatch(started.output(), /Building/)
  assert.equal(await end(started, 'SIGTERM'), 7)
})

test('an unknown command prints the usage', async (t) => {
  const { exitCode, output } = await runToEnd(t, await makeCheckout(t), 'toString')
  assert.equal(exitCode, 1)
  assert.match(output, /Usage: .*start \| dev/)
})
