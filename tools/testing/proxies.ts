import { existsSync, globSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { attempt, findOnPath, isDebian } from './browser.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const FOLDER = path.join(ROOT, '.cache/proxies')
/** Those whose files are in `deploy/`, by the names of Debian's packages and of their programs. */
const PROXIES = ['caddy', 'haproxy', 'nginx']

/** Where {@link unpackProxies} puts programs and libraries, for the environment of a check. */
export const withProxies = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...env,
  PATH: [env['PATH'], `${FOLDER}/usr/sbin`, `${FOLDER}/usr/bin`].join(path.delimiter),
  LD_LIBRARY_PATH: globSync(`${FOLDER}/usr/lib/*-linux-gnu`).join(path.delimiter),
})

/**
 * On Debian, unpacks the proxies that are missing in `.cache/proxies`, so that their own checks of their
 * files can run; installs nothing. Elsewhere, or without a network, those tests are skipped.
 */
export async function unpackProxies(env: NodeJS.ProcessEnv): Promise<void> {
  const missing = PROXIES.filter((name) => !findOnPath(env, [name]))
  if (missing.length === 0 || existsSync(FOLDER) || !isDebian()) return
  console.log(`Unpacking ${missing.join(', ')}`)
  await mkdir(path.dirname(FOLDER), { recursive: true })
  const draft = await mkdtemp(`${FOLDER}-`)
  try {
    for (const name of ['lists', 'archives']) await mkdir(`${draft}/${name}/partial`, { recursive: true })
    // Lists of its own: the browser may be installed at the same time, which locks the system's.
    const places = [`Dir::State::lists=${draft}/lists`, `Dir::Cache=${draft}`, 'Debug::NoLocking=1']
    // Where a firewall drops its packets, apt would keep the tests waiting for minutes.
    const settings = [...places, 'Acquire::http::Timeout=10', 'Acquire::Retries=0']
    const apt = (...args: string[]) =>
      attempt('apt-get', ...settings.flatMap((setting) => ['-o', setting]), ...args)
    const download = ['install', '--download-only', '--yes', '--no-install-recommends', ...missing]
    if (!(await apt('update')) || !(await apt(...download))) return
    for (const file of globSync(`${draft}/archives/*.deb`))
      await attempt('dpkg', '--extract', file, `${draft}/root`)
    // Another run may have been faster.
    await rename(`${draft}/root`, FOLDER).catch(() => {})
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
