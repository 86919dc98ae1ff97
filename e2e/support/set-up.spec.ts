import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import campaign from '#server/testing/campaign.ts'
import { withProduct } from './product.ts'
import { createPseudoProgram } from './pseudo-locale.ts'

const countServers = () =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'TCPServerWrap').length

const fail = () => {
  throw new Error('No campaign.')
}

test('a set-up that fails leaves no server and no folder behind', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'dropwright-set-up-'))
  const { TMPDIR, NODE_OPTIONS } = process.env
  process.env['TMPDIR'] = folder
  try {
    await test.step('of a product whose campaign cannot be written', async () => {
      const servers = countServers()
      const unwritable = { ...campaign, toJSON: fail }
      await expect(withProduct('set-up', { campaign: unwritable }, async () => {})).rejects.toThrow(
        'No campaign.',
      )
      expect(await readdir(folder)).toEqual([])
      expect(countServers()).toBe(servers)
    })
    await test.step('of a program that cannot be built', async () => {
      process.env['NODE_OPTIONS'] = '--no-such-option'
      await expect(createPseudoProgram()).rejects.toThrow('--no-such-option')
      expect(await readdir(folder)).toEqual([])
    })
  } finally {
    for (const [name, value] of Object.entries({ TMPDIR, NODE_OPTIONS }))
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    await rm(folder, { recursive: true })
  }
})
