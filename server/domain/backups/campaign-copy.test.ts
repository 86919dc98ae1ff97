import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { PICTURE_LIMITS } from '#contract/dashboard/pictures.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import campaign from '#server/testing/campaign.ts'
import { campaignWith } from '#server/testing/races.ts'
import { inspectCampaign, loadCampaign } from '../campaign/load-campaign.ts'
import { type CopiedFile, copiedName, copyCampaign, isSafeToRead, problemsOfCopy } from './campaign-copy.ts'

// The campaign file is the first of the copied files.
const textOf = ([file]: readonly CopiedFile[]) => file?.content.toString() ?? ''
const problemsOf = ([file]: readonly CopiedFile[]) => problemsOfCopy(file ?? assert.fail())
const namesOf = (files: readonly CopiedFile[]) => files.map(({ name }) => name)

/** A campaign file that takes its slots from another file. */
const importing = (module: string) => `import { slots } from '${module}'
const given = ${JSON.stringify(campaign)}
export default { ...given, airdrop: { ...given.airdrop, slots } }
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
  const contents = files.map(({ name, content }) => [name, content.toString()])
  assert.deepEqual(contents, [
    ['ours.ts', source],
    ['pictures/logo.png', 'a logo'],
  ])
  assert.deepEqual(await problemsOf(files), [])
})

test('a campaign file that imports another one is copied with the values of both', async (t) => {
  const folder = await scratchFolder(t)
  await writeFile(path.join(folder, 'slots.ts'), 'export const slots: number = 4321')
  const file = path.join(folder, 'ours.ts')
  await writeFile(file, importing('./slots.ts'))
  const { files, missing } = await copyCampaign(file)
  assert.deepEqual(missing, [])
  assert.doesNotMatch(textOf(files), /slots\.ts/)
  assert.match(textOf(files), /slots: 4321,/)
  assert.deepEqual(await problemsOf(files), [])
})

test('copying names what is missing, unreadable, invalid, outside the folder or too large, and does not fail', async (t) => {
  const folder = await scratchFolder(t)
  const outside = await scratchFolder(t)
  const file = path.join(folder, 'ours.json')
  assert.deepEqual(await copyCampaign(file), {
    files: [],
    missing: [`The campaign file ${file} does not exist.`],
  })
  assert.deepEqual((await copyCampaign(folder)).missing, [
    `The campaign file ${folder} cannot be read (EISDIR).`,
  ])

  await writeFile(file, '{ "id": 1 }')
  const broken = await copyCampaign(file)
  assert.equal(textOf(broken.files), '{ "id": 1 }', 'an operator may want to go on editing it')
  assert.match(broken.missing.join(), /^The campaign file .*ours\.json has mistakes, so pictures/)
  assert.match((await problemsOf(broken.files)).join('\n'), /^ours\.json: id .*\n.*is missing/)

  await writeFile(path.join(outside, 'logo.png'), 'a logo')
  await writeFile(path.join(folder, 'large.png'), Buffer.alloc(PICTURE_LIMITS.maxBytes + 1))
  const withLook = async (look: object) => {
    await writeFile(file, JSON.stringify({ ...campaign, look }))
    return copyCampaign(file)
  }
  const logo = path.join(outside, 'logo.png')
  const picturesOutside = await withLook({ logo, mascot: '../large.png' })
  assert.deepEqual(namesOf(picturesOutside.files), ['ours.json'])
  assert.deepEqual(picturesOutside.missing, [
    `The logo ${logo} is outside the campaign file’s folder.`,
    'The mascot ../large.png is outside the campaign file’s folder.',
  ])
  const { missing } = await withLook({ logo: 'gone.png', mascot: 'large.png' })
  assert.deepEqual(missing, [
    'The logo gone.png does not exist.',
    'The mascot large.png is larger than a picture may be.',
  ])
  const uploaded = await withLook({ logo: `/brand/${'a'.repeat(64)}-64x64.webp` })
  assert.deepEqual(uploaded.missing, [], 'the database has it')
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

test('a copied campaign file is read without the other files of the backup, which it might import', async () => {
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

test('an edited campaign file is copied as it is now', async (t) => {
  const file = path.join(await scratchFolder(t), 'ours.ts')
  // The last round changes nothing.
  for (const slots of [4321, 4322, 4322]) {
    await writeFile(file, `export default ${JSON.stringify(campaignWith({ slots }))}`)
    const { files, missing } = await copyCampaign(file)
    assert.deepEqual(missing, [])
    assert.match(textOf(files), new RegExp(`"slots":${slots}`))
  }
})

test('a copy has the current values of an edited import, even if the process has loaded it before', async (t) => {
  const folder = await scratchFolder(t)
  const file = path.join(folder, 'ours.ts')
  const write = (slots: number) =>
    writeFile(path.join(folder, 'slots.ts'), `export const slots: number = ${slots}`)
  const slotsOfCopy = async () => /\bslots: (\d+),/.exec(textOf((await copyCampaign(file)).files))?.[1]
  await write(4321)
  // The first copy fails, because an import is missing; then the process loads both files.
  await writeFile(file, importing('./between.ts'))
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
})
