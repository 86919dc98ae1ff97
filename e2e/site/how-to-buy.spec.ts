import type { Locator } from '@playwright/test'
import { decodeQR } from 'qr/decode.js'
import sharp from 'sharp'
import campaign from '#server/testing/campaign.ts'
import { PHONE } from '../checks/axe.ts'
import { recordDialogs } from '../support/page-messages.ts'
import { copied, expectCopies } from '../steps/page-steps.ts'
import { expect, test } from '../support/product.ts'

const { chain, links, token } = campaign

/** On how many lines a part of an element's text is. */
const linesOf = (element: Locator, part: string) =>
  element.evaluate((root, words) => {
    const nodes = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
      const start = node.textContent?.indexOf(words) ?? -1
      if (start === -1) continue
      const range = document.createRange()
      range.setStart(node, start)
      range.setEnd(node, start + words.length)
      return range.getClientRects().length
    }
    return 0
  }, part)

test('How to Buy has four steps, and copies the network and the contract', async ({ page }) => {
  await page.clock.install()
  await page.goto('/howtobuy')
  const main = page.locator('main')

  await test.step('names the steps and links to swap and chart', async () => {
    const steps = ['Create a wallet', 'Add PulseChain', 'Get PLS', `Swap PLS for ${token.symbol}`]
    await expect(main.locator('ol h2')).toHaveText(steps)
    for (const words of [/zero/i, /no slippage/i, campaign.texts.risk])
      await expect(main).toContainText(words)
    for (const [name, href] of Object.entries({ 'Buy on a DEX': links.swap, 'View Live Chart': links.chart }))
      await expect(main.getByRole('link', { name })).toHaveAttribute(
        'href',
        href.replace('{contract}', token.contract),
      )
  })

  await test.step('each row of the network box copies its value and confirms it', async () => {
    const network = page.getByRole('region', { name: 'Network details' })
    for (const [fact, value] of [
      ['Network name', 'PulseChain'],
      ['Chain ID', '369'],
      ['Currency symbol', 'PLS'],
      ['RPC URL', chain.rpcUrl],
      ['Block explorer', chain.explorerUrl],
    ] as const) {
      await expect(network.locator('dl > div').filter({ hasText: fact })).toContainText(value)
      await page.getByRole('button', { name: `Copy ${fact}` }).click()
      await expect(page.getByRole('button', { name: `Copied! ${fact}` })).toHaveText(/^Copied!/)
      expect(await copied(page)).toBe(value)
    }
  })

  await test.step('Copy Address copies the contract, raises a browser alert, and confirms it for two seconds', async () => {
    const box = page.getByRole('region', { name: 'Contract address' })
    await expect(box).toContainText(token.contract)
    await expect(box).toContainText('Placeholder')
    const raised = recordDialogs(page)
    const button = box.getByRole('button')
    await expect(button).toHaveText('Copy Address')
    await expectCopies(page, button, token.contract, 2_000)
    expect(raised).toEqual(['alert: Contract address copied!'])
    await page.clock.resume()
  })

  await test.step('offers to add the chain to a wallet, but not a placeholder token, and explains why', async () => {
    const button = page.getByRole('button', { name: `Add ${token.symbol} to wallet` })
    await expect(button).toBeDisabled()
    await expect(button).toHaveAccessibleDescription(
      'There is nothing to add yet: the contract address is a placeholder.',
    )
    await expect(page.getByRole('button', { name: 'Add PulseChain' })).toBeEnabled()
  })

  await test.step('a tablet breaks no host name, and a phone shows the QR code’s note below it', async () => {
    await page.setViewportSize({ width: 1024, height: 768 })
    for (const url of [chain.rpcUrl, chain.explorerUrl])
      expect(await linesOf(page.getByText(url), new URL(url).host), url).toBe(1)
    await page.setViewportSize(PHONE)
    const code = page.getByRole('img', { name: 'QR code of the contract address' })
    const { y = 0, height = 0 } = (await code.boundingBox()) ?? {}
    const note = await page.getByText('Scan it to open the address').boundingBox()
    expect(Math.round((note?.y ?? 0) - y - height), 'just below the code').toBeLessThan(32)
  })

  await test.step('the QR code decodes to the contract address in both themes', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const png = await page.getByRole('img', { name: 'QR code of the contract address' }).screenshot()
      const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
      expect(decodeQR({ width: info.width, height: info.height, data })).toBe(token.contract)
    }
  })
})
