import pg from 'pg'

export type Probe = ReturnType<typeof createProbe>

const TIMEOUT_MS = 1_000

/**
 * Health check of the database on a dedicated connection, so that an exhausted pool does not look like an
 * outage. If the connection does not answer in half of the time, a new one gets the other half: perhaps only
 * the old connection was broken.
 * @param timeoutMs for the whole check.
 */
export function createProbe(url: string, { timeoutMs = TIMEOUT_MS } = {}) {
  let kept: pg.Client | undefined
  let pending: Promise<boolean> | undefined

  async function check(): Promise<boolean> {
    const existing = kept
    if (existing && (await answersWithin(existing, timeoutMs / 2))) return true
    const fresh = createClient(url)
    if (!(await answersWithin(fresh, existing ? timeoutMs / 2 : timeoutMs))) return false
    kept = fresh
    return true
  }

  async function answersWithin(client: pg.Client, milliseconds: number): Promise<boolean> {
    const timer = setTimeout(() => client.connection.stream.destroy(), milliseconds)
    try {
      if (client !== kept) await client.connect() // it is fresh
      await client.query('select 1')
      return true
    } catch {
      if (client === kept) kept = undefined
      client.connection.stream.destroy()
      return false
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    /** Whether the database answers within the time. Concurrent calls share one query. */
    answers: () => (pending ??= check().finally(() => (pending = undefined))),
    async close() {
      await pending
      const last = kept
      kept = undefined
      if (!last) return
      const timer = setTimeout(() => last.connection.stream.destroy(), timeoutMs)
      await last.end().finally(() => clearTimeout(timer))
    },
  }
}

function createClient(connectionString: string): pg.Client {
  const client = new pg.Client({ connectionString, keepAlive: true, application_name: 'dropwright probe' })
  // The next check notices; without a listener the event would crash the process.
  client.on('error', () => {})
  return client
}
