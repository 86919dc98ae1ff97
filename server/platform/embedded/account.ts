import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Whom PostgreSQL runs as, in the shape that `spawn` takes. */
export type Account = { uid: number; gid: number }

const OWN_NAME = 'dropwright'
/** Made by the distribution's PostgreSQL; only used where an account of our own cannot be made. */
const FALLBACK_NAME = 'postgres'

/**
 * PostgreSQL refuses to run as root, so root hands it to a system account of its own, made when missing.
 * @throws when there is none and none can be made.
 */
export async function unprivilegedAccount(): Promise<Account> {
  const account = (await lookUp(OWN_NAME)) ?? (await make(OWN_NAME)) ?? (await lookUp(FALLBACK_NAME))
  if (account) return account
  throw new Error(
    `PostgreSQL does not run as root: add a system user named ${OWN_NAME}, or start as an ordinary user.`,
  )
}

async function make(name: string): Promise<Account | undefined> {
  const home = ['--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin']
  try {
    await run('useradd', ['--system', '--user-group', ...home, name])
  } catch {
    // The command differs on Alpine. And somebody may have added the user a moment ago: look again.
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
