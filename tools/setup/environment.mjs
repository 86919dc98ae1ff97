import path from 'node:path'
import { readNote } from './fingerprint.mjs'

/**
 * What the shell of whoever starts us says to others than Dropwright is not passed on: `NODE_ENV`, npm's settings and the
 * folder that somebody stands in may differ, and the same is installed, built and run.
 */

/** npm's settings that say from where packages come; all others could change what is installed, or where to. */
const OF_THE_NETWORK =
  /^(registry|.*:registry|\/\/.*|.*proxy|ca|cafile|cert|key|strict-ssl|cache|userconfig|globalconfig|fetch-.*|maxsockets|offline|prefer-.*|replace-registry-host|local-address)$/

/** The environment of npm when it installs. */
export function npmEnvironment(given) {
  const kept = Object.entries(given).filter(([name]) => {
    const setting = /^npm_config_(.*)/i.exec(name)?.[1]
    if (setting !== undefined) return OF_THE_NETWORK.test(setting.toLowerCase().replaceAll('_', '-'))
    return name !== 'NODE_ENV' && name !== 'INIT_CWD' && !/^npm_/i.test(name)
  })
  // npm itself needs another Node than the one in node_modules, which it is about to replace.
  const folders = (given.PATH ?? '').split(path.delimiter).filter((one) => !one.includes('node_modules'))
  return { ...Object.fromEntries(kept), PATH: folders.join(path.delimiter) }
}

/**
 * The environment of a program of ours.
 * @param {string} root the checkout
 * @param {NodeJS.ProcessEnv} given the environment that we were started with
 * @param {{ mode?: string, cwd?: string, parent?: NodeJS.ProcessEnv }} [how] mode: the NODE_ENV of a command that has one of
 *   its own, empty for none; without it the operator's is passed on. cwd: the folder that we were started in. parent:
 *   the environment of whoever started us, where it can be read.
 */
export function programEnvironment(root, given, { mode, cwd = process.cwd(), parent } = {}) {
  const env = {
    ...given,
    PATH: [path.join(root, 'node_modules/.bin'), given.PATH].join(path.delimiter),
  }
  env.NODE_ENV = mode ?? (isNpm(parent, given) ? parent.NODE_ENV : given.NODE_ENV)
  if (!env.NODE_ENV) delete env.NODE_ENV
  // npm goes to the checkout before it starts us, and says from where.
  const caller = cwd === root ? (given.INIT_CWD ?? cwd) : cwd
  if (given.CAMPAIGN_CONFIG) env.CAMPAIGN_CONFIG = path.resolve(caller, given.CAMPAIGN_CONFIG)
  return env
}

/**
 * Whether our parent is npm, which names the script to its child alone. Where its settings leave out what is for
 * development it sets `NODE_ENV=production` by itself: what it was given is the operator's word.
 */
function isNpm(parent, given) {
  const { npm_lifecycle_event: script } = given
  return parent !== undefined && script !== undefined && parent.npm_lifecycle_event !== script
}

/** The environment that our parent was started with; undefined where the system does not show it. */
export function parentEnvironment() {
  const lines = readNote(`/proc/${process.ppid}/environ`)?.split('\0')
  return lines && Object.fromEntries(lines.filter((line) => line.includes('=')).map(splitOnce))
}

const splitOnce = (line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]
