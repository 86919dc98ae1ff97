import type { Locator, Page } from '@playwright/test'
import { LOCALE_NAMES } from '#contract/locales.ts'
import campaign from '#server/testing/campaign.ts'
import { CLAIM_NAMES } from '#messages/proofs.js'
import { keepToasts } from '../steps/account-steps.ts'
import { reachProof } from '../steps/airdrop-steps.ts'
import { createAccounts, EVERY_ROUTE, open } from '../checks/every-route.ts'
import { expect, test } from '../support/product.ts'
import { readAloud } from '../checks/accessibility-tree.ts'

const PAGES = ['Home', 'About', 'Tokenomics', 'How to Buy', 'Roadmap'].map((name) => `link: ${name}`)
const HEAD = [
  'banner',
  'link: Skip to content',
  `link: ${campaign.token.name}`,
  'navigation: Main',
  ...PAGES,
  'link: My Profile',
  'link: Airdrop',
  'main',
]
const LANGUAGES = ['navigation: Language', ...Object.values(LOCALE_NAMES).map((name) => `link: ${name}`)]
const FOOT = [
  'contentinfo',
  'navigation: Pages',
  ...PAGES,
  ...['Leaderboard', 'Rules', 'Privacy and terms', 'Journal', 'Allocation', 'Earlier airdrops'].map(
    (name) => `link: ${name}`,
  ),
  ...['Check the claims', 'API', 'Docs'].map((name) => `link: ${name}`),
  ...['Twitter', 'Telegram', 'Live Chart'].map((name) => `link: ${name}`),
  ...LANGUAGES,
  'group: Theme',
  ...['System', 'Light', 'Dark'].map((name) => `button: ${name}`),
]
/** The application's live region. It is always there, so that screen readers announce changes. */
const NOTICES = 'region: Notices'
const UNREACHABLE = 'chain unreachable'

const HOME = [
  `region: ${campaign.token.name}`,
  `heading 1: ${campaign.token.name}`,
  'link: Buy',
  'link: Learn More',
  'button: Copy',
  'link: View Live Chart',
  'button: Share',
  `region: What is ${campaign.token.name}?`,
  `heading 2: What is ${campaign.token.name}?`,
  ...campaign.texts.features.map(({ title }) => `heading 3: ${title}`),
  'region: Nothing to prove yet.',
  'heading 2: Nothing to prove yet.',
  ...Object.values(CLAIM_NAMES).map((name) => `heading 3: ${name}`),
  'heading 2: The mission',
  'region: Four tasks, one ticket',
  'heading 2: Four tasks, one ticket',
  'link: Open the airdrop',
]

const REGISTER = [
  'banner',
  `link: ${campaign.token.name}`,
  'main',
  'heading 1: Create Account',
  'form',
  'textbox: Username, required',
  'textbox: Email, required',
  'textbox: Password, required',
  'button: Show password',
  'textbox: Referral Code (optional)',
  'checkbox: Send me airdrop news, a few times a year. Optional.',
  'link: rules',
  'link: privacy policy and terms',
  'button: Create Account',
  'link: Log in',
]

const PROOF = [
  `heading 1: ${campaign.name}`,
  'button: Back',
  'heading 2: Claim Your Airdrop',
  'form: Claim Your Airdrop',
  'textbox: Wallet Address, required',
  'group: Proof of ownership',
  'button: Prove it’s yours (optional)',
  'textbox: Telegram, required',
  'textbox: Twitter, required',
  'textbox: Retweet Link, required',
  'button: Submit',
]

const profileOf = (referralCode: string) => [
  'heading 1: My Profile',
  `button: ${referralCode}`,
  'button: Copy invitation link',
  'link: Save picture',
  'link: See the leaderboard',
  'button: Logout',
  'button: Change password',
  'button: Log out everywhere',
  'region: Your claim',
  'heading 2: Your claim',
  'button: Edit',
  'heading 3: Wallet',
  'group: Proof of ownership',
  'button: Prove it’s yours (optional)',
  'heading 3: Telegram',
  'button: Connect Telegram',
  'heading 3: What happened',
  'checkbox: Email me announcements, a few times a year. Each one has a link to unsubscribe.',
  'region: Where you are logged in',
  'heading 2: Where you are logged in',
  'region: Your data',
  'heading 2: Your data',
  'link: What we store, and what remains after you delete your account',
  'button: Download your data',
  'button: Delete your account',
]

const LEADERBOARD = ['heading 1: Leaderboard', 'table: Leaderboard']

/** The dashboard without its rows and its numbers of claims. */
const DASHBOARD = [
  'navigation: Dashboard',
  ...['Claims', 'People', 'Insights', 'Campaign', 'Settings', 'Look', 'Mail'].map((name) => `link: ${name}`),
  ...['Webhooks', 'Payout', 'Checks', 'Security', 'Docs'].map((name) => `link: ${name}`),
  'heading 1: Users with Completed Tasks',
  'group: Which claims',
  ...['All', 'Waiting', 'Flagged', 'Appealed', 'Decided'].map((name) => `button: ${name}`),
  'search',
  'searchbox: Name, email, handle or wallet',
  'button: Search',
  'combobox: Risk',
  'combobox: Order',
  'checkbox: Keyboard shortcuts',
  'button: Shortcuts (?)',
  'table: Users with Completed Tasks',
]

/**
 * Expects these landmarks, headings and controls, in this order. Also expects no live region within another,
 * because its text would be announced twice.
 * @param read reads the page aloud without the lines that vary
 */
async function expectLines(
  page: Page,
  lines: readonly string[],
  read: () => Promise<string[]> = () => readAloud(page),
): Promise<void> {
  await expect.poll(read).toEqual(lines)
  await expectNoNestedLiveRegion(page)
}

async function expectNoNestedLiveRegion(page: Page): Promise<void> {
  const live = page.locator('[aria-live]:not([aria-live="off"]), [role="status"], [role="alert"], output')
  await expect(live.locator(live)).toHaveCount(0)
}

test('exposes landmarks, headings and controls in order', async ({ page, product }) => {
  const accounts = await createAccounts(product)
  const visit = async (path: string) => {
    const route = EVERY_ROUTE.find((entry) => entry.path === path)
    if (!route) throw new Error(`No route ${path}`)
    await open(page, product, route, accounts)
  }

  await test.step('Home and Register', async () => {
    await visit('/')
    await expectLines(page, [...HEAD, ...HOME, ...FOOT])
    await visit('/register')
    await expectLines(page, [...REGISTER, ...LANGUAGES, NOTICES])
  })

  await test.step('Leaderboard, without its pagination, which depends on the number of participants', async () => {
    await visit('/leaderboard')
    const readWithoutPagination = async () =>
      (await readAloud(page)).filter((line) => !/: (Prev|Next|Pages of the leaderboard)$/.test(line))
    await expectLines(page, [...HEAD, ...LEADERBOARD, ...FOOT, NOTICES], readWithoutPagination)
  })

  await test.step('Profile', async () => {
    await visit('/profile')
    const profile = profileOf(accounts.participant.user.referralCode)
    await expectLines(page, [...HEAD, ...profile, ...FOOT, NOTICES])
  })

  await test.step('a toast, announced once and politely', async () => {
    await keepToasts(page)
    await page.getByRole('button', { name: 'Logout' }).click()
    const toast = page.getByRole('region', { name: 'Notices' }).getByRole('status')
    await expect(toast).toHaveText(['Logged out successfully!'])
    await expect(toast).toHaveAttribute('aria-live', 'polite')
    await expectNoNestedLiveRegion(page)
  })

  await test.step('Dashboard, without its rows and counts', async () => {
    await visit('/dashboard')
    const readWithoutRows = async () => {
      const lines = (await readAloud(page)).map((line) => line.replace(/ \d+$/, ''))
      const footLength = [...FOOT, NOTICES].length
      return [...lines.slice(0, HEAD.length + DASHBOARD.length), ...lines.slice(-footLength)]
    }
    await expectLines(page, [...HEAD, ...DASHBOARD, ...FOOT, NOTICES], readWithoutRows)
  })

  await test.step('the proof step of the airdrop', async () => {
    await product.storeSession(page, await product.newParticipant())
    await reachProof(page)
    await expectLines(page, [...HEAD, ...PROOF, ...FOOT, NOTICES])
  })
})

/** Records the texts of a live region, and of its parent, from now on. */
const recordTexts = (liveRegion: Locator) =>
  liveRegion.evaluateHandle((region) => {
    const texts = { announced: [] as string[], shown: [] as string[] }
    const record = (element: Element, list: string[]) =>
      new MutationObserver(() => {
        if (element.textContent) list.push(element.textContent)
      }).observe(element, { childList: true, characterData: true, subtree: true })
    record(region, texts.announced)
    if (region.parentElement) record(region.parentElement, texts.shown)
    return texts
  })

test('announces an unreachable chain only once, even if the event stream breaks', async ({ page }) => {
  /** What a heartbeat says: the newest block, or `null` while the chain is unreachable. */
  let block: number | null = null
  let streams = 0
  const recordingStarted = Promise.withResolvers<void>()
  // Each stream breaks after one heartbeat. The browser opens the next one after 50 ms.
  await page.route(/\/api\/v1\/events\?/, async (route) => {
    await recordingStarted.promise
    streams += 1
    const body = `retry: 50\nevent: heartbeat\ndata: ${JSON.stringify({ block })}\n\n`
    return route.fulfill({ contentType: 'text/event-stream', body })
  })
  await page.clock.install()
  await page.goto('/')
  const liveRegion = page.locator('footer').getByRole('status')
  await expect(liveRegion).toBeAttached()
  const texts = await recordTexts(liveRegion)
  recordingStarted.resolve()

  await test.step('an unreachable chain', async () => {
    // The page opens the stream after three seconds.
    await page.clock.runFor(3_000)
    await expect(liveRegion).toHaveText(UNREACHABLE)
    await expect.poll(() => streams).toBeGreaterThan(5)
    expect(await texts.jsonValue()).toEqual({ announced: [UNREACHABLE], shown: [UNREACHABLE] })
  })

  await test.step('a block, which is shown but not announced', async () => {
    block = 24_500_007
    await expect.poll(async () => (await texts.jsonValue()).shown).toContain('block 24,500,007')
    await expect(liveRegion).toHaveText('')
    expect((await texts.jsonValue()).announced).toEqual([UNREACHABLE])
  })
})

test('an alert of the dashboard is not announced again when its age changes', async ({ page, product }) => {
  const fiveMinutesAgo = new Date(Date.now() - 5 * 60_000).toISOString()
  const data = [{ condition: 'jobs_dead', place: '', since: fiveMinutesAgo, facts: { count: 1 } }]
  await page.route('**/api/v1/alerts', (route) => route.fulfill({ json: { data } }))
  await page.clock.install()
  await product.openAs(page, await product.admin(), '/dashboard')
  const alert = page.getByRole('alert')
  const age = await alert.getByRole('time').innerText()
  // Changes inside `aria-live="off"`, such as the age, are not announced.
  const announced = await alert.evaluateHandle((element) => {
    const changes: string[] = []
    new MutationObserver((records) => {
      for (const { target } of records)
        if (!target.parentElement?.closest('[aria-live="off"]')) changes.push(target.textContent ?? '')
    }).observe(element, { childList: true, characterData: true, subtree: true })
    return changes
  })
  await page.clock.runFor(121_000) // The age is in minutes.
  await expect(alert.getByRole('time')).not.toHaveText(age)
  expect(await announced.jsonValue()).toEqual([])
})
