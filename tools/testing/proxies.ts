import { existsSync, globSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { attempt, findOnPath, isDebian } from './browser.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const FOLDER = path.join(ROOT, '.cache/proxies')
/** The proxies with a configuration in `deploy/`. Debian gives the package and the program the same name. */
const PROXIES = ['caddy', 'haproxy', 'nginx']

/** Adds the programs and libraries that {@link unpackProxies} unpacks to an environment. */
export const withProxies = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...env,
  PATH: [env['PATH'], `${FOLDER}/usr/sbin`, `${FOLDER}/usr/bin`].join(path.delimiter),
  LD_LIBRARY_PATH: globSync(`${FOLDER}/usr/lib/*-linux-gnu`).join(path.delimiter),
})

/**
 * On Debian, downloads missing proxies and unpacks them into `.cache/proxies` without installing them, so
 * that a test can have them check their configuration. That test is skipped elsewhere and without a network.
 */
export async function unpackProxies(env: NodeJS.ProcessEnv): Promise<void> {
  const missing = PROXIES.filter((name) => !findOnPath(env, [name]))
  if (missing.length === 0 || existsSync(FOLDER) || !isDebian()) return
  console.log(`Unpacking ${missing.join(', ')}`)
  await mkdir(path.dirname(FOLDER), { recursive: true })
  const draft = await mkdtemp(`${FOLDER}-`)
  try {
    for (const name of ['lists', 'archives']) await mkdir(`${draft}/${name}/partial`, { recursive: true })
    // Not the system's package lists, which are locked while a browser is being installed.
    const places = [`Dir::State::lists=${draft}/lists`, `Dir::Cache=${draft}`, 'Debug::NoLocking=1']
    // Behind a firewall that drops packets, apt would otherwise wait for minutes.
    const settings = [...places, 'Acquire::http::Timeout=10', 'Acquire::Retries=0']
    const apt = (...args: string[]) =>
      attempt('apt-get', ...settings.flatMap((setting) => ['-o', setting]), ...args)
    const download = ['install', '--download-only', '--yes', '--no-install-recommends', ...missing]
    if (!(await apt('update')) || !(await apt(...download))) return
    for (const file of globSync(`${draft}/archives/*.deb`))
      await attempt('dpkg', '--extract', file, `${draft}/root`)
    // Fails if another run was faster.
    await rename(`${draft}/root`, FOLDER).catch(() => {})
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
