import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

/** The preferred ones first: the headless shell opens pages a quarter faster. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]
const ON_MACOS = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/**
 * Finds the Chromium for browser tests: CHROMIUM_PATH, else the system's, else Playwright's. If there is
 * none, installs it.
 * @throws if it cannot be installed
 */
export async function findBrowser(env: NodeJS.ProcessEnv): Promise<string> {
  const named = env['CHROMIUM_PATH'] || undefined
  if (named && !existsSync(named)) throw new Error(`CHROMIUM_PATH names ${named}, which does not exist.`)
  const present = named ?? (await findInstalled(env))
  if (present) return present
  console.log('Installing a browser')
  await installBrowser()
  const installed = await findInstalled(env)
  if (installed) return installed
  throw new Error('There is no browser and none could be installed: install Chromium, or set CHROMIUM_PATH.')
}

async function findInstalled(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return findOnPath(env, NAMES) ?? [ON_MACOS].find(isExecutable) ?? findInPlaywright()
}

export function findOnPath(env: NodeJS.ProcessEnv, names: readonly string[]): string | undefined {
  const folders = (env['PATH'] ?? '').split(path.delimiter)
  return folders.flatMap((folder) => names.map((name) => path.join(folder, name))).find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function findInPlaywright(): Promise<string | undefined> {
  const { chromium } = await import('@playwright/test')
  const file = chromium.executablePath()
  return existsSync(file) ? file : undefined
}

async function installBrowser(): Promise<void> {
  const isRoot = process.getuid?.() === 0
  // Ubuntu's packages would install a snap, which a container cannot run.
  if (isRoot && isDebian() && (await attempt('apt-get', 'update')))
    for (const name of ['chromium-headless-shell', 'chromium'])
      if (await attempt('apt-get', 'install', '-y', '--no-install-recommends', name)) return
  await attempt('playwright', 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium')
}

export function isDebian(): boolean {
  return existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
}

/** Runs a program without input, and prints why it failed. @returns whether it succeeded. */
export async function attempt(program: string, ...args: string[]): Promise<boolean> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  try {
    const running = promisify(execFile)(program, args, { env, maxBuffer: Infinity })
    running.child.stdin?.end()
    await running
    return true
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string }
    console.log(`${program} ${args.join(' ')} failed: ${stderr.trim().split('\n').at(-1) || message}`)
    return false
  }
}
