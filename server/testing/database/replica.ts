import { appendFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { locateCluster } from '#server/platform/database/embedded/cluster-location.ts'
import { startEmbeddedPostgres } from '#server/platform/database/embedded-postgres.ts'
import { migrateAsOwner } from './database.ts'
import { copyWithOwner, makeInitializedDataDir } from './initialized-data-dir.ts'
import { atEnd, type Lifetime, makeDataDir } from '../product.ts'
import { until } from '../until.ts'

/** A migrated PostgreSQL and a streaming replica of it, stopped after the test. */
export async function startReplicated(t: Lifetime) {
  const { primary, replica } = await startPair(t)
  const onReplica = await connectTo(replica.ownerUrl)
  const onPrimary = await connectTo(primary.ownerUrl)
  atEnd(t, () => Promise.all([onReplica.end(), onPrimary.end()]))
  const isMet = async (condition: string, values: string[] = []) => {
    const { rows } = await onReplica.query<{ met: boolean | null }>(`select ${condition} as met`, values)
    return rows[0]?.met === true
  }
  const isStreaming = () => isMet('exists (select from pg_stat_wal_receiver)')
  await until('the replica streams', isStreaming)
  return {
    primary,
    replica,
    /** The replica keeps receiving what the primary commits, but no longer applies it. */
    async pauseReplay() {
      await onReplica.query('select pg_wal_replay_pause()')
      await until('the replay is paused', () => isMet(`pg_get_wal_replay_pause_state() = 'paused'`))
    },
    /** Resolves when the replica has caught up. */
    async resumeReplay() {
      await onReplica.query('select pg_wal_replay_resume()')
      const { rows } = await onPrimary.query<{ lsn: string }>(
        'select pg_current_wal_flush_lsn()::text as lsn',
      )
      const hasReplayed = () => isMet('pg_last_wal_replay_lsn() >= $1::pg_lsn', [rows[0]?.lsn ?? ''])
      await until('the replica has caught up', hasReplayed)
    },
    /** Ends the stream from the primary permanently. */
    async unfollow() {
      await onReplica.query(`alter system set primary_conninfo = ''`)
      await onReplica.query('select pg_reload_conf()')
      await until('the stream has ended', async () => !(await isStreaming()))
    },
  }
}

async function startPair(t: Lifetime) {
  const folders = { primary: await makeInitializedDataDir(t), replica: await makeDataDir(t) }
  const start = (dataDir: string) => startEmbeddedPostgres({ dataDir, log: () => {} })
  const migrating = await start(folders.primary)
  await migrateAsOwner(migrating.ownerUrl)
  await migrating.stop()
  await makeStandby(folders.primary, folders.replica, new URL(migrating.url).searchParams.get('host') ?? '')
  const primary = await start(folders.primary)
  const replica = await start(folders.replica)
  atEnd(t, async () => {
    await replica.stop()
    await primary.stop()
  })
  return { primary, replica }
}

/** Copies a stopped database to another DATA_DIR, where it will follow the primary at this socket. */
async function makeStandby(from: string, to: string, socketFolder: string): Promise<void> {
  const [source, target] = await Promise.all([locateCluster(from, () => {}), locateCluster(to, () => {})])
  await rm(target.cluster, { recursive: true, force: true })
  await copyWithOwner(source.cluster, target.cluster)
  await writeFile(path.join(target.cluster, 'standby.signal'), '')
  const following = `primary_conninfo = 'host=''${socketFolder}'' user=dropwright'\n`
  await appendFile(path.join(target.cluster, 'postgresql.auto.conf'), following)
}

async function connectTo(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  // A test may kill the server.
  client.on('error', () => {})
  await client.connect()
  return client
}
