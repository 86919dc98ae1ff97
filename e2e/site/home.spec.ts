import type { Locator, Page } from '@playwright/test'
import campaign from '#server/testing/campaign.ts'
import { announced, recordConsoleErrors, recordDialogs } from '../support/page-messages.ts'
import { denyClipboard, expectCopies } from '../steps/page-steps.ts'
import { expect, test } from '../support/product.ts'

const { contract } = campaign.token

const card = (page: Page, label: string): Locator =>
  page.locator('#hero .stat-card').filter({ has: page.getByText(label, { exact: true }) })

test('Home shows the token’s name, price and description, and copies its contract', async ({ page }) => {
  await page.clock.install()
  await page.goto('/')
  const hero = page.locator('#hero')
  const about = page.locator('#about')

  await test.step('the hero links to the swap from PLS and to the chart', async () => {
    await expect(hero.getByRole('heading', { level: 1 })).toHaveText(campaign.token.name)
    await expect(hero).toContainText(campaign.texts.tagline)
    await expect(hero).toContainText(campaign.texts.hero)
    const addressOf = async (name: string) =>
      new URL((await hero.getByRole('link', { name, exact: true }).getAttribute('href')) ?? '')
    const { searchParams } = await addressOf('Buy')
    expect(searchParams.get('inputCurrency')).toBe('PLS')
    expect(searchParams.get('outputCurrency')).toBe(contract)
    expect((await addressOf('View Live Chart')).pathname).toContain(contract)
  })

  await test.step('four cards show supply, contract, symbol and price', async () => {
    await expect(hero.locator('.stat-card dt')).toHaveText(['Total Supply', 'Contract', 'Symbol', 'Price'])
    await expect(card(page, 'Total Supply')).toContainText('1,000,000,000')
    await expect(card(page, 'Symbol').locator('dd')).toHaveText('PF')
    await expect(card(page, 'Contract').getByTitle(contract)).toBeVisible()
    await expect(card(page, 'Contract')).toContainText(/placeholder/i)
    await expect(card(page, 'Price').locator('dd')).toHaveText('$0.000123')
  })

  await test.step('Copy copies the full contract address and confirms it for two seconds', async () => {
    const button = card(page, 'Contract').getByRole('button')
    await expect(button).toHaveText('Copy')
    await expectCopies(page, button, contract, 2_000)
  })

  await test.step('Learn More jumps to the description with six features and the mission', async () => {
    await expect(about.getByRole('heading', { level: 2 })).not.toBeInViewport()
    await page.getByRole('link', { name: 'Learn More' }).click()
    await expect(page).toHaveURL(/\/#about$/)
    await expect(about.getByRole('heading', { level: 2 })).toBeInViewport()
    await expect(about.getByRole('heading', { level: 2 })).toHaveText(`What is ${campaign.token.name}?`)
    await expect(about).toContainText(campaign.texts.about)
    await expect(about.getByRole('heading', { level: 3 })).toHaveText([
      'Stealth Launch',
      'Zero Taxes',
      'Burned Liquidity',
      'Community Driven',
      'Anti-Bot Protection',
      'Sustainable Rewards',
    ])
    await expect(page.locator('aside').filter({ hasText: campaign.texts.wish })).toContainText(
      campaign.texts.risk,
    )
  })
})

test('a failed copy is logged, and the page does not confirm or announce it', async ({ page }) => {
  await denyClipboard(page)
  const logged = recordConsoleErrors(page)
  const raised = recordDialogs(page)
  for (const [path, name] of Object.entries({ '/': 'Copy', '/howtobuy': 'Copy Address' })) {
    await page.goto(path)
    const before = await announced(page).allTextContents()
    await page.getByRole('button', { name, exact: true }).click()
    await expect.poll(() => logged.filter((text) => text.includes('Copy failed')).length).toBe(1)
    await expect(page.getByRole('button', { name, exact: true })).toBeVisible()
    await expect(page.getByText('Copied!')).toHaveCount(0)
    expect(await announced(page).allTextContents()).toEqual(before)
    logged.length = 0
  }
  expect(raised).toEqual([])
})

test.describe('without a preference for reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } })

  test('the mascot Pip moves; the hero enters and cards grow, unless motion is reduced', async ({ page }) => {
    const hops: string[] = []
    await page.exposeFunction('hopped', (tagName: string) => hops.push(tagName))
    await page.addInitScript(() => {
      const { animate } = Element.prototype
      Element.prototype.animate = function (...args) {
        if (this.classList.contains('pip-hops')) (window as unknown as Exposed).hopped(this.tagName)
        return animate.apply(this, args)
      }
    })
    await page.goto('/')
    const entering = page.locator('#hero .enter-up').first()
    const supply = card(page, 'Total Supply')

    await test.step('the hero enters within 0.8 s, easing out, 40 px upward', async () => {
      const entrance = await entering.evaluate((element) => {
        // The entrance may be over: a layout without its class restarts it. `topAt` pauses it.
        element.classList.remove('enter-up')
        element.getBoundingClientRect()
        element.classList.add('enter-up')
        const [animation] = element.getAnimations()
        if (!animation) return null
        const { duration } = animation.effect?.getComputedTiming() ?? {}
        const { animationTimingFunction } = getComputedStyle(element)
        const topAt = (timeMs: number) => {
          animation.pause()
          animation.currentTime = timeMs
          return element.getBoundingClientRect().top
        }
        return { duration, animationTimingFunction, rise: topAt(0) - topAt(800) }
      })
      expect(entrance).toEqual({ duration: 800, animationTimingFunction: 'ease-out', rise: 40 })
    })

    await test.step('a stat card grows to 1.05 under the pointer', async () => {
      await expect(supply).not.toHaveCSS('scale', '1.05')
      await supply.hover()
      await expect(supply).toHaveCSS('scale', '1.05')
    })

    await test.step('Pip hops on copying, looks toward the pointer, and sleeps while the chain is unreachable', async () => {
      await page.getByRole('button', { name: 'Copy', exact: true }).click()
      await expect(page.getByRole('button', { name: 'Copied!' })).toBeVisible()
      await expect.poll(() => hops.length, 'Pip hops in the pocket and in the header').toBe(2)

      const pip = page.locator('#hero .pip-looks')
      const lookX = () => pip.evaluate((element) => element.style.getPropertyValue('--look-x'))
      await page.mouse.move(10, 300)
      await expect.poll(lookX).toBe('-1.00')
      await page.mouse.move(1435, 300)
      await expect.poll(async () => Number(await lookX())).toBeGreaterThan(0)

      await expect(pip.locator('.pip-asleep')).toBeHidden()
      // Offline, because the next heartbeat would find the chain and wake Pip.
      await page.context().setOffline(true)
      await page.evaluate(() => document.documentElement.setAttribute('data-chain-unreachable', ''))
      await expect(pip.locator('.pip-asleep')).toBeVisible()
      await expect(pip.locator('.pip-awake')).toBeHidden()
      await page.context().setOffline(false)
    })

    await test.step('with reduced motion, the hero does not move and no card grows', async () => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await expect(entering).toHaveCSS('animation-duration', '1e-05s')
      for (const label of ['Symbol', 'Total Supply']) {
        await card(page, label).hover()
        await expect(card(page, label)).toHaveCSS('scale', '1')
      }
    })
  })
})

type Exposed = { hopped: (tagName: string) => void }
