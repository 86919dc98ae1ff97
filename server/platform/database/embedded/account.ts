import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The account PostgreSQL runs as, in the form `spawn` takes. */
export type Account = { uid: number; gid: number }

const OWN_NAME = 'dropwright'
/** Created by the distribution's PostgreSQL; used only if our own account cannot be created. */
const FALLBACK_NAME = 'postgres'

/**
 * PostgreSQL refuses to run as root, so root runs it as a dedicated system account, created if missing.
 * @throws when there is none and none can be created.
 */
export async function unprivilegedAccount(): Promise<Account> {
  const account = (await lookUp(OWN_NAME)) ?? (await create(OWN_NAME)) ?? (await lookUp(FALLBACK_NAME))
  if (account) return account
  throw new Error(
    `PostgreSQL does not run as root: add a system user named ${OWN_NAME}, or start as an ordinary user.`,
  )
}

async function create(name: string): Promise<Account | undefined> {
  const home = ['--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin']
  try {
    await run('useradd', ['--system', '--user-group', ...home, name])
  } catch {
    // Alpine has adduser. Another process may also have just added the user, hence the lookup below.
    await run('adduser', ['-S', '-D', '-H', name]).catch(() => {})
  }
  return lookUp(name)
}

async function lookUp(name: string): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return undefined
  }
}
