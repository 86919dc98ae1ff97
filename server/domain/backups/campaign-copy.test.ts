import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { PICTURE_LIMITS } from '#contract/dashboard/pictures.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import campaign from '#server/testing/campaign.ts'
import { inspectCampaign, loadCampaign } from '../campaign/load-campaign.ts'
import { type CopiedFile, copiedName, copyCampaign, isSafeToRead, problemsOfCopy } from './campaign-copy.ts'

// The campaign file is the first of the copied files.
const textOf = ([file]: readonly CopiedFile[]) => file?.content.toString() ?? ''
const problemsOf = ([file]: readonly CopiedFile[]) => problemsOfCopy(file ?? assert.fail())
const namesOf = (files: readonly CopiedFile[]) => files.map(({ name }) => name)

/** A campaign file that takes its slots from another file. */
const sourceImporting = (module: string) => `import { slots } from '${module}'
const campaign = ${JSON.stringify(campaign)}
export default { ...campaign, airdrop: { ...campaign.airdrop, slots } }
`

test('copies the campaign file as it is, comments included, and the pictures that it names', async (t) => {
  const folder = await scratchFolder(t)
  await mkdir(path.join(folder, 'pictures'))
  await writeFile(path.join(folder, 'pictures/logo.png'), 'a logo')
  const withLogo = { ...campaign, look: { logo: './pictures/logo.png', mascot: null } }
  const source = `// Ours.
import { defineCampaign } from '#contract/campaign-file.ts'
export default defineCampaign(${JSON.stringify(withLogo)})
`
  const file = path.join(folder, 'ours.ts')
  await writeFile(file, source)
  const { files, missing } = await copyCampaign(file)
  assert.deepEqual(missing, [])
  assert.deepEqual(namesOf(files), ['ours.ts', 'pictures/logo.png'])
  const contents = files.map(({ content }) => content.toString())
  assert.deepEqual(contents, [source, 'a logo'])
  assert.deepEqual(await problemsOf(files), [])
})

test('copying a campaign file that is missing or unreadable does not fail, but says so', async (t) => {
  const folder = await scratchFolder(t)
  const gone = path.join(folder, 'gone.json')
  const missingFile = [`The campaign file ${gone} does not exist.`]
  assert.deepEqual(await copyCampaign(gone), { files: [], missing: missingFile })
  const unreadableFile = [`The campaign file ${folder} cannot be read (EISDIR).`]
  assert.deepEqual(await copyCampaign(folder), { files: [], missing: unreadableFile })
})

test('a campaign file with mistakes is copied without pictures', async (t) => {
  const file = path.join(await scratchFolder(t), 'ours.json')
  await writeFile(file, '{ "id": 1 }')
  const { files, missing } = await copyCampaign(file)
  assert.equal(textOf(files), '{ "id": 1 }')
  assert.match(missing.join(), /^The campaign file .*ours\.json has mistakes, so pictures/)
  assert.match((await problemsOf(files)).join('\n'), /^ours\.json: id .*\n.*is missing/)
})

test('a copy names the pictures that are outside the folder, missing or too large', async (t) => {
  const folder = await scratchFolder(t)
  const logo = path.join(await scratchFolder(t), 'logo.png')
  await writeFile(logo, 'a logo')
  await writeFile(path.join(folder, 'large.png'), Buffer.alloc(PICTURE_LIMITS.maxBytes + 1))
  const copyWithLook = async (look: object) => {
    await writeFile(path.join(folder, 'ours.json'), JSON.stringify({ ...campaign, look }))
    return copyCampaign(path.join(folder, 'ours.json'))
  }
  const outside = await copyWithLook({ logo, mascot: '../large.png' })
  assert.deepEqual(namesOf(outside.files), ['ours.json'])
  assert.deepEqual(outside.missing, [
    `The logo ${logo} is outside the campaign file’s folder.`,
    'The mascot ../large.png is outside the campaign file’s folder.',
  ])
  const { missing } = await copyWithLook({ logo: 'gone.png', mascot: 'large.png' })
  assert.deepEqual(missing, [
    'The logo gone.png does not exist.',
    'The mascot large.png is larger than a picture may be.',
  ])
  const uploaded = await copyWithLook({ logo: `/brand/${'a'.repeat(64)}-64x64.webp` })
  assert.deepEqual(uploaded.missing, [], 'an uploaded picture is in the database')
  assert.ok('campaign' in inspectCampaign(JSON.parse(textOf(uploaded.files))))
})

test('a backup cannot name a file outside the campaign file’s folder', () => {
  assert.equal(copiedName('campaign/pictures/logo.png'), 'pictures/logo.png')
  for (const name of [
    'app-secret',
    'campaign/',
    'campaign//etc/passwd',
    'campaign/../app-secret',
    'campaign/a/../../b',
    'campaign/..',
    String.raw`campaign/..\b`,
    'campaign/c:/b',
  ])
    assert.equal(copiedName(name), undefined, name)
})

test('a copied campaign file is safe to read if it is JSON or the same program as on this machine', () => {
  const content = Buffer.from('export default {}')
  assert.ok(isSafeToRead({ name: 'ours.json', content }, undefined))
  assert.ok(isSafeToRead({ name: 'ours.ts', content }, Buffer.from(content)))
  for (const name of ['ours.ts', 'ours.mjs', 'ours.js', 'ours', 'ours.json.ts']) {
    assert.ok(!isSafeToRead({ name, content }, undefined), name)
    assert.ok(!isSafeToRead({ name, content }, Buffer.from('export default {};')), name)
  }
})

test('a copied campaign file cannot import other files of the backup', async () => {
  const content = Buffer.from("import './planted.ts'\nexport default {}")
  const problems = await problemsOfCopy({ name: 'ours.ts', content })
  assert.match(problems.join('\n'), /^ours\.ts could not be read: Cannot find module [^\n]*$/)
})

test('a campaign file and its pictures are copied even if no temporary folder can be made', async (t) => {
  const folder = await scratchFolder(t)
  const file = path.join(folder, 'ours.json')
  await writeFile(path.join(folder, 'logo.png'), 'a logo')
  await writeFile(file, JSON.stringify({ ...campaign, look: { logo: 'logo.png' } }))
  const { TMPDIR } = process.env
  t.after(() => {
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
  })
  process.env['TMPDIR'] = path.join(folder, 'gone')
  const { files, missing } = await copyCampaign(file)
  assert.deepEqual(missing, [])
  assert.deepEqual(namesOf(files), ['ours.json', 'logo.png'])
})

test('a campaign file that imports others is copied with their current values, even if the process has loaded them before', async (t) => {
  const folder = await scratchFolder(t)
  const file = path.join(folder, 'ours.ts')
  const write = (slots: number) =>
    writeFile(path.join(folder, 'slots.ts'), `export const slots: number = ${slots}`)
  const slotsOfCopy = async () => /\bslots: (\d+),/.exec(textOf((await copyCampaign(file)).files))?.[1]
  await write(4321)
  // The first copy fails, because between.ts is missing. Then between.ts and slots.ts are loaded.
  await writeFile(file, sourceImporting('./between.ts'))
  const { missing } = await copyCampaign(file)
  assert.match(missing.join(), /has mistakes/)
  await writeFile(path.join(folder, 'between.ts'), `export { slots } from './slots.ts'`)
  assert.ok(!('problems' in (await loadCampaign(file))))
  assert.equal(await slotsOfCopy(), '4321')
  // The last round changes nothing.
  for (const slots of [4322, 4323, 4323]) {
    await write(slots)
    assert.equal(await slotsOfCopy(), String(slots))
  }
  const { files, missing: missingNow } = await copyCampaign(file)
  assert.doesNotMatch(textOf(files), /between\.ts/)
  assert.deepEqual([missingNow, await problemsOf(files)], [[], []])
})

test('a campaign file is copied again even if a file that it imports can no longer be read', async (t) => {
  const folder = await scratchFolder(t)
  const file = path.join(folder, 'ours.ts')
  const module = path.join(folder, 'slots.ts')
  await writeFile(module, 'export const slots: number = 4321')
  await writeFile(file, sourceImporting('./slots.ts'))
  assert.deepEqual((await copyCampaign(file)).missing, [])
  await rm(module)
  await mkdir(module)
  const { files, missing } = await copyCampaign(file)
  assert.deepEqual(namesOf(files), ['ours.ts'])
  assert.match(missing.join(), /has mistakes/)
})
