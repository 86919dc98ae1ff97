import { type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { ADDRESS, inFolder, ORIGIN, type Secrets, superuserUrl } from './settings.ts'

/** @param what completes “There was no sign of …” */
export async function until(what: string, condition: () => Promise<boolean>, seconds = 120): Promise<void> {
  const deadline = performance.now() + seconds * 1_000
  while (performance.now() < deadline) {
    if (await condition().catch(() => false)) return
    await pause(500)
  }
  throw new Error(`There was no sign of ${what} within ${seconds} s; see ${inFolder('log')}.`)
}

export async function queryPrimary<R extends pg.QueryResultRow>(
  secrets: Secrets,
  statement: string,
): Promise<R[]> {
  return queryAt<R>(superuserUrl(secrets), statement)
}

/** Rejects if there is no answer after two seconds. */
export async function queryAt<R extends pg.QueryResultRow>(url: string, statement: string): Promise<R[]> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 2_000,
    query_timeout: 2_000,
  })
  // A lost connection also makes the query reject, so the event can be ignored.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<R>(statement)).rows
  } finally {
    await client.end()
  }
}

/** Calls a port of this machine, with the host name that visitors use. */
export async function httpGet(port: number, path: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const headers = { host: new URL(ORIGIN).host, connection: 'close' }
  const call = request({ host: ADDRESS, port, path, headers, timeout: 5_000 }, resolve)
  call.on('timeout', () => call.destroy(new Error(`${path} at ${port} did not answer.`)))
  call.on('error', reject)
  call.end()
  return promise
}
