import type { Page } from '@playwright/test'
import { decodeQR } from 'qr/decode.js'
import campaign from '#server/testing/campaign.ts'
import { copied } from '../support/clipboard.ts'
import { expect, test } from '../support/product.ts'

const { chain, token } = campaign

test('each row of the network box copies its value and confirms it', async ({ page }) => {
  await page.goto('/howtobuy')
  for (const [fact, value] of [
    ['Network name', chain.name],
    ['Chain ID', '369'],
    ['Currency symbol', 'PLS'],
    ['RPC URL', chain.rpcUrl],
    ['Block explorer', chain.explorerUrl],
  ] as const) {
    await page.getByRole('button', { name: `Copy ${fact}` }).click()
    await expect(page.getByRole('button', { name: `Copied! ${fact}` })).toHaveText(/^Copied!/)
    expect(await copied(page)).toBe(value)
  }
})

test('offers to add the chain to a wallet, but not a placeholder token, and explains why', async ({
  page,
}) => {
  await page.goto('/howtobuy')
  const button = page.getByRole('button', { name: `Add ${token.symbol} to wallet` })
  await expect(button).toBeDisabled()
  await expect(button).toHaveAccessibleDescription(
    'There is nothing to add yet: the contract address is a placeholder.',
  )
  await expect(page.getByRole('button', { name: 'Add PulseChain' })).toBeEnabled()
})

test('the QR code decodes to the contract address in both themes', async ({ page }) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto('/howtobuy')
    const png = await page.getByRole('img', { name: 'QR code of the contract address' }).screenshot()
    expect(decodeQR(await pixels(page, png))).toBe(token.contract)
  }
})

test('fits the narrowest phone with touch targets of full size', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/howtobuy')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  for (const control of await page.locator('main :is(button, a)').all()) {
    const box = await control.boundingBox()
    expect(box?.height, await control.innerText()).toBeGreaterThanOrEqual(44)
    expect(box?.width, await control.innerText()).toBeGreaterThanOrEqual(44)
  }
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('shows steps, details, QR code and links, and no button without function', async ({ page }) => {
    await page.goto('/howtobuy')
    await expect(page.locator('main ol h2')).toHaveCount(4)
    await expect(page.getByRole('region', { name: 'Network details' })).toContainText(chain.rpcUrl)
    await expect(page.getByRole('region', { name: 'Contract address' })).toContainText(token.contract)
    await expect(page.getByRole('img', { name: 'QR code of the contract address' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Buy on a DEX' })).toBeVisible()
    await expect(page.locator('main button:enabled').filter({ visible: true })).toHaveCount(0)
    await expect(page.getByText('Your wallet will ask you')).toBeHidden()
  })
})

/** The pixels of an image, as the browser decodes it. */
async function pixels(page: Page, png: Buffer) {
  const { width, height, data } = await page.evaluate(async (bytes) => {
    const file = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))
    const image = await createImageBitmap(new Blob([file], { type: 'image/png' }))
    const drawn = new OffscreenCanvas(image.width, image.height).getContext('2d')
    drawn?.drawImage(image, 0, 0)
    const { data: found = [] } = drawn?.getImageData(0, 0, image.width, image.height) ?? {}
    return { width: image.width, height: image.height, data: [...found] }
  }, png.toString('base64'))
  return { width, height, data: Uint8ClampedArray.from(data) }
}
