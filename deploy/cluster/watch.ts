import { execFile } from 'node:child_process'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { queryAt, httpGet } from './query.ts'
import { readPostmasterPid } from './down.ts'
import { inFolder, type Member, MEMBERS, portOf, PORTS, type Secrets, superuserUrl } from './settings.ts'

type ServerCount = { status: string; requests: number }

/** HAProxy's counts for the servers of a backend by name, and under `BACKEND` for all of them together. */
export async function readCounts(backend: string): Promise<Map<string, ServerCount>> {
  const socket = connect(inFolder('haproxy.sock'))
  socket.end('show stat\n')
  const [header = '', ...lines] = (await text(socket)).replace(/^# /, '').trim().split('\n')
  const columns = header.split(',')
  const rows = lines.map((line) => {
    const cells = line.split(',')
    return Object.fromEntries(columns.map((name, index) => [name, cells[index]]))
  })
  const ofBackend = rows.filter((row) => row['pxname'] === backend)
  return new Map(
    ofBackend.map((row) => [
      row['svname'] ?? '',
      {
        status: row['status'] ?? '',
        requests: [2, 3, 4, 5].reduce(
          (sum, statusClass) => sum + Number(row[`hrsp_${statusClass}xx`] ?? ''),
          0,
        ),
      },
    ]),
  )
}

/** Public reads of all nodes, by the server that answered. */
export async function countPublicReads(): Promise<{ replica: number; primary: number }> {
  const sums = { replica: 0, primary: 0 }
  for (const member of MEMBERS) {
    const metrics = await text(await httpGet(portOf(PORTS.nodes, member), '/metrics'))
    for (const server of ['replica', 'primary'] as const)
      sums[server] += Number(
        new RegExp(`^public_reads_total\\{server="${server}"\\} (\\d+)$`, 'm').exec(metrics)?.[1],
      )
  }
  return sums
}

export async function findPrimary(secrets: Secrets): Promise<Member> {
  for (const member of MEMBERS) {
    const rows = await queryAt<{ follows: boolean }>(
      superuserUrl(secrets, portOf(PORTS.postgres, member)),
      'select pg_is_in_recovery() as follows',
    ).catch(() => [])
    if (rows[0]?.follows === false) return member
  }
  throw new Error('No member is the primary.')
}

/** Kills a PostgreSQL and all of its processes at once, as if the machine had lost its power. */
export async function killPostgres(member: Member): Promise<void> {
  const pid = await readPostmasterPid(member)
  if (pid === undefined) throw new Error(`PostgreSQL ${member} does not run.`)
  // A stopped process cannot react when the processes that it has started die.
  process.kill(pid, 'SIGSTOP')
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(pid)])
  for (const child of stdout.trim().split(/\s+/)) process.kill(Number(child), 'SIGKILL')
  process.kill(pid, 'SIGKILL')
}
