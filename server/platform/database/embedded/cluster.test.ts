import assert from 'node:assert/strict'
import { symlink } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { createCluster } from './cluster.ts'

test('a start goes on when another start has just renamed its draft', async (t) => {
  const dataDir = await scratchFolder(t)
  const cluster = path.join(dataDir, 'cluster')
  // A link to nothing stands for such a draft: it is listed, but not found when it is examined.
  await symlink(path.join(dataDir, 'gone'), `${cluster}.new-other`)
  const binaries = { folder: path.join(dataDir, 'no-binaries'), version: '0' }
  const location = { dataDir, cluster, socket: dataDir, log: dataDir, maxConnections: 0, binaries }
  await assert.rejects(createCluster({ ...location, account: undefined }), /could not be created: .*initdb/)
})
