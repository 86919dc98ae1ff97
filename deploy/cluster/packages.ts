import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { type Account, findSystemAccount } from '#server/platform/database/embedded/cluster-location.ts'

/** The Debian packages of the cluster, each with a program that exists if the package is installed. */
export const PROGRAMS = {
  'etcd-server': '/usr/bin/etcd',
  patroni: '/usr/bin/patroni',
  postgresql: '/usr/lib/postgresql/15/bin/postgres',
  pgbouncer: '/usr/sbin/pgbouncer',
  haproxy: '/usr/sbin/haproxy',
  'nginx-light': '/usr/sbin/nginx',
} as const

/** Installs missing packages, as root on Debian. @throws in other cases, naming the missing packages. */
export async function ensurePackages(): Promise<void> {
  const missing = Object.entries(PROGRAMS).flatMap(([name, program]) => (existsSync(program) ? [] : [name]))
  if (missing.length === 0) return
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new Error(`Packages of Debian 12 are missing: apt-get install ${missing.join(' ')}`)
  console.log(`Installing ${missing.join(', ')}`)
  await withoutServices(() =>
    runVisibly('apt-get', ['install', '--yes', '--no-install-recommends', ...missing]),
  )
}

const POLICY = '/usr/sbin/policy-rc.d'

/** Debian starts the services of a package that it installs, unless `policy-rc.d` exits with 101. */
async function withoutServices(install: () => Promise<void>): Promise<void> {
  if (existsSync(POLICY)) return install()
  await writeFile(POLICY, '#!/bin/sh\nexit 101\n')
  await chmod(POLICY, 0o755)
  await install().finally(() => rm(POLICY))
}

async function runVisibly(program: string, args: string[]): Promise<void> {
  const child = spawn(program, args, {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${String(code)}.`)
}

/** An account for programs that refuse to run as root; undefined if this process does not run as root. */
export async function findUnprivilegedAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const account = await findSystemAccount('postgres')
  if (!account) throw new Error('There is no account postgres, which the package of PostgreSQL creates.')
  return account
}
