import pg from 'pg'

export type Probe = {
  /** Whether the database answers, told within a second. Who asks at once shares one question. */
  answers(): Promise<boolean>
  close(): Promise<void>
}

/** Milliseconds that the database gets to answer. */
const PATIENCE = 1_000

/**
 * Asks the database on a connection of its own, so that a pool that is all in use does not pass for a lost database.
 * The connection is kept. When it keeps silent a new one is tried in the other half of the time: what was forgotten
 * between us and the database must not pass for a lost one either.
 */
export function createProbe(url: string, { patience = PATIENCE } = {}): Probe {
  let kept: pg.Client | undefined
  let asked: Promise<boolean> | undefined

  async function ask(): Promise<boolean> {
    const known = kept
    if (known && (await answersWithin(known, patience / 2))) return true
    const fresh = connection(url)
    if (!(await answersWithin(fresh, known ? patience / 2 : patience))) return false
    kept = fresh
    return true
  }

  async function answersWithin(client: pg.Client, milliseconds: number): Promise<boolean> {
    const timer = setTimeout(() => client.connection.stream.destroy(), milliseconds)
    try {
      if (client !== kept) await client.connect()
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
    answers: () => (asked ??= ask().finally(() => (asked = undefined))),
    async close() {
      await asked
      const last = kept
      kept = undefined
      if (!last) return
      const timer = setTimeout(() => last.connection.stream.destroy(), patience)
      await last.end().finally(() => clearTimeout(timer))
    },
  }
}

function connection(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    application_name: 'dropwright probe',
  })
  // It is found out at the next question; unheard, the event would end the process.
  client.on('error', () => {})
  return client
}
