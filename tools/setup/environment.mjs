import path from 'node:path'
import { readText } from './fingerprint.mjs'

/** Makes installing, building and running independent of the shell's `NODE_ENV`, npm settings and folder. */

/** npm settings for reaching the registry. Others could change what is installed, or where. */
const NETWORK_SETTINGS =
  /^(registry|.*:registry|\/\/.*|.*proxy|ca|cafile|cert|key|strict-ssl|cache|userconfig|globalconfig|fetch-.*|maxsockets|offline|prefer-.*|replace-registry-host|local-address)$/

/** The environment for `npm ci`. */
export function npmEnvironment(processEnv) {
  const kept = Object.entries(processEnv).filter(([name]) => {
    const setting = /^npm_config_(.*)/i.exec(name)?.[1]
    if (setting !== undefined) return NETWORK_SETTINGS.test(setting.toLowerCase().replaceAll('_', '-'))
    return name !== 'NODE_ENV' && name !== 'INIT_CWD' && !/^npm_/i.test(name)
  })
  // npm must not run on the Node in node_modules, because it replaces that Node.
  const folders = (processEnv.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.includes('node_modules'))
  return { ...Object.fromEntries(kept), PATH: folders.join(path.delimiter) }
}

/**
 * The environment for one of our programs.
 * @param {string} root the checkout
 * @param {NodeJS.ProcessEnv} processEnv the environment of this process
 * @param {{ mode?: string, cwd?: string, parent?: NodeJS.ProcessEnv }} [options] mode: overrides the
 *   operator's NODE_ENV, '' unsets it. cwd: the working directory of this process. parent: the environment of
 *   the parent process, if readable.
 */
export function programEnvironment(root, processEnv, { mode, cwd = process.cwd(), parent } = {}) {
  const env = {
    ...processEnv,
    PATH: [path.join(root, 'node_modules/.bin'), processEnv.PATH].join(path.delimiter),
  }
  env.NODE_ENV = mode ?? (isNpm(parent, processEnv) ? parent.NODE_ENV : processEnv.NODE_ENV)
  if (!env.NODE_ENV) delete env.NODE_ENV
  // npm changes to the checkout and passes the original directory in INIT_CWD.
  const caller = cwd === root ? (processEnv.INIT_CWD ?? cwd) : cwd
  if (processEnv.CAMPAIGN_CONFIG) env.CAMPAIGN_CONFIG = path.resolve(caller, processEnv.CAMPAIGN_CONFIG)
  return env
}

/**
 * How a program uses memory. The operator's own settings come last and win.
 *
 * An idle node needs a quarter less memory if V8's young generation cannot grow to 32 MB during the start,
 * and if glibc has two arenas instead of one per thread. Each password hash takes 46 MiB from the kernel and
 * returns them. Slow virtual machines do that five times as fast in pages of 2 MiB as in pages of 4 KiB
 * (decision 056). C libraries other than glibc ignore its settings.
 */
export function memoryEnvironment({ NODE_OPTIONS, MALLOC_ARENA_MAX, GLIBC_TUNABLES }) {
  return {
    NODE_OPTIONS: ['--max-semi-space-size=4', NODE_OPTIONS].filter(Boolean).join(' '),
    MALLOC_ARENA_MAX: MALLOC_ARENA_MAX ?? '2',
    GLIBC_TUNABLES: ['glibc.malloc.hugetlb=1', GLIBC_TUNABLES].filter(Boolean).join(':'),
  }
}

/**
 * Whether the parent is npm, which names the script only in the child's environment. If npm's settings omit
 * development packages, it sets `NODE_ENV=production` for the child. So the operator's value is in the
 * environment that npm was started with.
 */
function isNpm(parent, processEnv) {
  const { npm_lifecycle_event: script } = processEnv
  return parent !== undefined && script !== undefined && parent.npm_lifecycle_event !== script
}

/** The environment with which the parent process was started; undefined if the system does not expose it. */
export function parentEnvironment() {
  const lines = readText(`/proc/${process.ppid}/environ`)?.split('\0')
  return lines && Object.fromEntries(lines.filter((line) => line.includes('=')).map(splitOnce))
}

const splitOnce = (line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]
