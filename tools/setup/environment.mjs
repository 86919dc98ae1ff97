import path from 'node:path'
import { readText } from './fingerprint.mjs'

/**
 * Isolates Dropwright from the shell: what is installed, built and run does not depend on the shell's
 * `NODE_ENV`, npm settings or working directory.
 */

/** npm settings for reaching the registry; any other could change what is installed, or where. */
const NETWORK_SETTINGS =
  /^(registry|.*:registry|\/\/.*|.*proxy|ca|cafile|cert|key|strict-ssl|cache|userconfig|globalconfig|fetch-.*|maxsockets|offline|prefer-.*|replace-registry-host|local-address)$/

/** The environment for `npm ci`. */
export function npmEnvironment(processEnv) {
  const kept = Object.entries(processEnv).filter(([name]) => {
    const setting = /^npm_config_(.*)/i.exec(name)?.[1]
    if (setting !== undefined) return NETWORK_SETTINGS.test(setting.toLowerCase().replaceAll('_', '-'))
    return name !== 'NODE_ENV' && name !== 'INIT_CWD' && !/^npm_/i.test(name)
  })
  // npm must not run on the Node in node_modules, which it is about to replace.
  const folders = (processEnv.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.includes('node_modules'))
  return { ...Object.fromEntries(kept), PATH: folders.join(path.delimiter) }
}

/**
 * The environment for one of our programs.
 * @param {string} root the checkout
 * @param {NodeJS.ProcessEnv} processEnv the environment of this process
 * @param {{ mode?: string, cwd?: string, parent?: NodeJS.ProcessEnv }} [options] mode: overrides NODE_ENV, ''
 *   unsets it; by default the operator's is kept. cwd: the working directory of this process. parent: the
 *   environment of the parent process, if readable.
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
 * How a program takes memory. A node at rest takes a quarter less with a young generation that cannot grow to
 * 32 MB during the start, and with two arenas of glibc instead of one for each thread. A password hash takes
 * 46 MiB from the kernel and returns them, which slow virtual machines do five times as fast in pages of 2 MiB
 * as of 4 KiB (decision 056). Other C libraries ignore the settings of glibc. What the environment of this
 * process says comes last, so that it wins.
 */
export function memoryEnvironment({ NODE_OPTIONS, MALLOC_ARENA_MAX, GLIBC_TUNABLES }) {
  return {
    NODE_OPTIONS: ['--max-semi-space-size=4', NODE_OPTIONS].filter(Boolean).join(' '),
    MALLOC_ARENA_MAX: MALLOC_ARENA_MAX ?? '2',
    GLIBC_TUNABLES: ['glibc.malloc.hugetlb=1', GLIBC_TUNABLES].filter(Boolean).join(':'),
  }
}

/**
 * Whether the parent is npm: then only the child's environment names the script. With settings that omit
 * development packages npm sets `NODE_ENV=production` on its own, so the operator's value is the one npm was
 * started with.
 */
function isNpm(parent, processEnv) {
  const { npm_lifecycle_event: script } = processEnv
  return parent !== undefined && script !== undefined && parent.npm_lifecycle_event !== script
}

/** The environment that the parent process was started with; undefined if the system does not expose it. */
export function parentEnvironment() {
  const lines = readText(`/proc/${process.ppid}/environ`)?.split('\0')
  return lines && Object.fromEntries(lines.filter((line) => line.includes('=')).map(splitOnce))
}

const splitOnce = (line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]
