import { createReadStream } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { exportSiteOf, payoutRows } from '#server/domain/payouts/pack/testing/allocation.ts'
import type { PayoutRow } from '#server/domain/payouts/pack/types.ts'
import { type LocalServer, serve } from '#server/testing/fakes/http-stub.ts'
import { expectAccessible } from '../checks/axe.ts'
import { expect, test as base } from '../support/product.ts'

const ROWS = payoutRows(200)
const [RECIPIENT] = ROWS as [PayoutRow]
const MIME_TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

/** `site`: the static site on a file server, without the product. `root` is the root of its Merkle tree. */
const test = base.extend<{ site: { url: string; folder: string; root: string } }>({
  site: async ({}, use) => {
    const parent = await mkdtemp(path.join(tmpdir(), 'allocation-'))
    const folder = path.join(parent, 'some/where')
    const root = await exportSiteOf(ROWS, folder)
    const { url, close } = await serveFiles(parent)
    await use({ url: `${url}/some/where/`, folder, root })
    await close()
    await rm(parent, { recursive: true, force: true })
  },
})

function serveFiles(folder: string): Promise<LocalServer> {
  return serve(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://files')
    const file = path.join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname)
    const isFile = await stat(file).then(
      (stats) => stats.isFile(),
      () => false,
    )
    if (!isFile) return response.writeHead(404).end('Not found')
    response.writeHead(200, {
      'content-type': MIME_TYPES[path.extname(file)] ?? 'application/octet-stream',
    })
    createReadStream(file).pipe(response)
  })
}

async function lookUp(page: Page, wallet: string) {
  await page.getByLabel('Wallet address').fill(wallet)
  await page.getByRole('button', { name: 'Check', exact: true }).click()
}

test('verifies a wallet with one small file, and stamps only proven amounts', async ({ page, site }) => {
  const requestedUrls: string[] = []
  page.on('request', (request) => requestedUrls.push(request.url()))
  const result = page.getByRole('article')
  await page.goto(site.url)

  await test.step('verifies a wallet without a request to another origin', async () => {
    await expect(page.getByText(site.root)).toBeVisible()
    await lookUp(page, RECIPIENT.wallet.toLowerCase())
    await expect(result.getByText('Verified in this browser')).toBeVisible()
    await expect(result).toContainText(RECIPIENT.wallet)
    await result.getByText('Leaf, proof and root').click()
    await expect(result.getByRole('listitem'), 'one for each level of a tree of 200 leaves').toHaveCount(8)
    await expectAccessible(page, 'a verified wallet on the static site')
    expect(requestedUrls.filter((url) => !url.startsWith(site.url) && !url.startsWith('data:'))).toEqual([])
    expect(requestedUrls.filter((url) => url.includes('/shards/'))).toHaveLength(1)
  })

  await test.step('does not stamp an amount that the root does not prove', async () => {
    const shard = requestedUrls.find((url) => url.includes('/shards/')) ?? ''
    const file = path.join(site.folder, shard.slice(site.url.length))
    const entries = JSON.parse(await readFile(file, 'utf8')) as Record<string, { pf: string }>
    const entry = entries[RECIPIENT.wallet]
    if (!entry) throw new Error('The shard has no such wallet')
    entry.pf = `${BigInt(entry.pf) + 1n}`
    await writeFile(file, JSON.stringify(entries))
    await page.reload()
    await lookUp(page, RECIPIENT.wallet)
    await expect(result.getByText('Not proven')).toBeVisible()
    await expect(page.getByText('Verified in this browser')).toHaveCount(0)
  })

  await test.step('distinguishes an unlisted wallet, a missing shard and a mistyped address', async () => {
    await lookUp(page, `0x${'12'.repeat(20)}`)
    await expect(page.getByText('This wallet is not in the allocation.')).toBeVisible()
    await rm(path.join(site.folder, 'shards'), { recursive: true })
    await lookUp(page, `0x${'13'.repeat(20)}`)
    await expect(page.getByText('We couldn’t check.')).toBeVisible()
    await lookUp(page, RECIPIENT.wallet.slice(0, -1))
    await expect(page.getByRole('alert')).toHaveText('Enter 0x followed by 40 digits or letters from a to f.')
    await expect(page.getByLabel('Wallet address')).toBeFocused()
  })
})
