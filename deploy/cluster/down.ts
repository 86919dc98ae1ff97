import { readFile } from 'node:fs/promises'
import { listRunning, stop } from './processes.ts'
import { FOLDER, inFolder, MEMBERS } from './settings.ts'

/** Stops only what `up` has started. Logs and data stay until the next `up`. */
export async function down(): Promise<void> {
  const names = (await listRunning()).map(({ name }) => name).toReversed()
  for (const name of names) await stop(name)
  for (const member of MEMBERS) await killOrphan(member)
  console.log(names.length === 0 ? 'Nothing was running.' : `Stopped ${names.join(', ')}. See ${FOLDER}.`)
}

/** PostgreSQL outlives a killed Patroni. */
async function killOrphan(member: string): Promise<void> {
  const pid = await readPostmasterPid(member)
  if (pid !== undefined) process.kill(pid, 'SIGQUIT') // stops PostgreSQL at once
}

/** @returns undefined if the member's PostgreSQL does not run. */
export async function readPostmasterPid(member: string): Promise<number | undefined> {
  const folder = inFolder(`postgres-${member}`)
  const pid = Number.parseInt(await readFile(`${folder}/postmaster.pid`, 'utf8').catch(() => ''), 10)
  if (!(pid > 0)) return undefined
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return command.includes(folder) ? pid : undefined
}
