import assert from 'node:assert/strict'
import { mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { placeCampaign } from './place-campaign.ts'

const files = [
  { name: 'campaign.config.ts', content: Buffer.from('theirs') },
  { name: 'pictures/logo.png', content: Buffer.from('a logo') },
]
const read = (...parts: string[]) => readFile(path.join(...parts), 'utf8')

test('places files where there are none, and changes nothing when repeated', async (t) => {
  const folder = path.join(await scratchFolder(t), 'etc')
  const target = path.join(folder, 'ours.ts')
  const logo = path.join(folder, 'pictures/logo.png')
  const placing = { wantedPath: target, elsewhere: folder, replace: false }
  assert.deepEqual(await placeCampaign(files, placing), [
    { wantedPath: target, copyPath: target, outcome: 'placed' },
    { wantedPath: logo, copyPath: logo, outcome: 'placed' },
  ])
  assert.deepEqual([await read(target), await read(logo)], ['theirs', 'a logo'])
  const again = await placeCampaign(files, { ...placing, replace: true })
  const outcomes = again.map(({ outcome }) => outcome)
  assert.deepEqual(outcomes, ['same', 'same'])
  assert.deepEqual((await readdir(folder)).toSorted(), ['ours.ts', 'pictures'])
  assert.deepEqual(await placeCampaign([], placing), [])
})

test('leaves existing files that differ, or keeps them under another name if told to replace them', async (t) => {
  const folder = await scratchFolder(t)
  const target = path.join(folder, 'campaign.config.ts')
  await writeFile(target, 'edited')
  await mkdir(path.join(folder, 'pictures'))
  await writeFile(path.join(folder, 'pictures/logo.png'), 'another logo')
  await writeFile(path.join(folder, 'campaign.config.restored.ts'), 'of an earlier restore')
  const placing = { wantedPath: target, elsewhere: folder, replace: false }

  const beside = path.join(folder, 'campaign.config.restored-2.ts')
  // The second round places nothing more.
  for (let round = 0; round < 2; round += 1) {
    const [campaign, logo] = await placeCampaign(files, placing)
    assert.deepEqual(campaign, { wantedPath: target, copyPath: beside, outcome: 'beside' })
    assert.equal(logo?.copyPath, path.join(folder, 'pictures/logo.restored.png'))
  }
  assert.deepEqual([await read(target), await read(beside)], ['edited', 'theirs'])
  assert.equal(await read(folder, 'campaign.config.restored.ts'), 'of an earlier restore')
  assert.equal(await read(folder, 'pictures/logo.png'), 'another logo')

  const [campaign, logo] = await placeCampaign(files, { ...placing, replace: true })
  const keptPath = path.join(folder, 'campaign.config.before-restore.ts')
  assert.deepEqual(campaign, { wantedPath: target, copyPath: target, outcome: 'replaced', keptPath })
  assert.deepEqual([await read(target), await read(keptPath)], ['theirs', 'edited'])
  assert.equal(logo?.outcome, 'replaced')
  assert.deepEqual((await readdir(path.join(folder, 'pictures'))).toSorted(), [
    'logo.before-restore.png',
    'logo.png',
    'logo.restored.png',
  ])
})

test('a campaign file of another format is placed beside the existing one', async (t) => {
  const folder = await scratchFolder(t)
  const target = path.join(folder, 'campaign.json')
  await writeFile(target, '{}')
  const [campaign] = await placeCampaign(files, { wantedPath: target, elsewhere: folder, replace: true })
  const beside = path.join(folder, 'campaign.config.ts')
  assert.deepEqual(campaign, { wantedPath: target, copyPath: beside, outcome: 'beside' })
  assert.deepEqual([await read(target), await read(beside)], ['{}', 'theirs'])
})

test('places files in the other folder if the first is not writable, and fails if neither is', async (t) => {
  const [folder, elsewhere] = [await scratchFolder(t), await scratchFolder(t)]
  // A part of the path is a file: not even root can write there.
  await writeFile(path.join(folder, 'file'), '')
  const target = path.join(folder, 'file/campaign.config.ts')
  const placed = await placeCampaign(files, { wantedPath: target, elsewhere, replace: false })
  const places = placed.map(({ copyPath, outcome }) => [copyPath, outcome])
  assert.deepEqual(places, [
    [path.join(elsewhere, 'campaign.config.ts'), 'beside'],
    [path.join(elsewhere, 'pictures/logo.png'), 'placed'],
  ])
  const unwritable = { wantedPath: target, elsewhere: path.join(folder, 'file'), replace: false }
  await assert.rejects(placeCampaign(files, unwritable), /ENOTDIR|EEXIST/)
})

test('a full disk leaves no part of a file', async (t) => {
  const folder = await scratchFolder(t)
  const target = path.join(folder, 'campaign.config.ts')
  const placing = { wantedPath: target, elsewhere: folder, replace: false }
  const file = await open(path.join(await scratchFolder(t), 'any'), 'w')
  const fileHandlePrototype = Object.getPrototypeOf(file) as typeof file
  await file.close()
  const failingSync = t.mock.method(fileHandlePrototype, 'sync', () =>
    Promise.reject(Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })),
  )
  await assert.rejects(placeCampaign(files, placing), { code: 'ENOSPC' })
  assert.deepEqual(await readdir(folder), [])
  failingSync.mock.restore()
  const [campaign] = await placeCampaign(files, placing)
  assert.equal(campaign?.outcome, 'placed')
})
