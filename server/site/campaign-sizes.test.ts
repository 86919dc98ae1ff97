import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contextOf } from '#server/testing/builders/site.ts'
import campaign from '#server/testing/campaign.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { campaignWith } from '#server/testing/database/races.ts'
import { tasksOf } from '#server/testing/builders/tasks.ts'
import { TASKS } from '#messages/airdrop.js'
import { explainChecks } from '#web/content/tasks.ts'
import { TELEGRAM } from '#messages/claim.js'
import { ROUTES } from '#web/routes.ts'
import { loadRenderer } from './built/built-assets.ts'

const { renderRoute } = await loadRenderer('en')

const { home, about, tokenomics } = ROUTES

function mainOf(route: (typeof ROUTES)['home' | 'about' | 'tokenomics'], file: CampaignFile): string {
  const html = renderRoute(route, contextOf(file))
  return html.slice(html.indexOf('<main'), html.indexOf('</main>'))
}

const withTexts = (texts: Partial<CampaignFile['texts']>): CampaignFile => ({
  ...campaign,
  texts: { ...campaign.texts, ...texts },
})

/** Matches the card of a feature. Its width is in sixths of a row. */
const CARDS = /<li class="[^"]*lg:col-span-(\d)/g

/** Matches the drawing or number of a feature. */
const PICTURES = /viewBox="0 0 96 72"/g

const entries = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    title: `Entry ${index + 1}`,
    text: `The text of entry ${index + 1}.`,
    ...(index % 2 === 1 ? { drawing: 'stealth' as const } : {}),
  }))

for (const count of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  test(`${count} features fill their rows on Home and About, and several have a picture each`, () => {
    for (const route of [home, about]) {
      const main = mainOf(route, withTexts({ features: entries(count) }))
      const widths = [...main.matchAll(CARDS)].map(([, width]) => Number(width))
      assert.equal(widths.length, count, route.path)
      let filled = 0
      for (const width of widths) {
        filled += width
        assert.ok(filled <= 6, `a row of ${filled} sixths on ${route.path}`)
        if (filled === 6) filled = 0
      }
      assert.equal(filled, 0, `the last row of ${route.path}`)
      assert.equal([...main.matchAll(PICTURES)].length, count > 1 ? count : 0, `pictures on ${route.path}`)
      for (let number = 1; number <= count; number += 1) {
        assert.ok(main.includes(`The text of entry ${number}.`), `${route.path}, entry ${number}`)
        const hasNumber = count > 1 && number % 2 === 1
        assert.equal(main.includes(`aria-label="${number}"`), hasNumber, `the number ${number}`)
      }
    }
  })

test('without features and facts, their sections are missing and all others stay', () => {
  const bare = withTexts({ features: [], facts: [] })
  for (const route of [home, about]) {
    assert.doesNotMatch(mainOf(route, bare), new RegExp(CARDS.source), route.path)
    assert.ok(mainOf(route, bare).includes(campaign.texts.about), route.path)
    // Both halves of the card and the frame around them are missing. Empty elements would leave a gap.
    const framesOf = (file: CampaignFile) => mainOf(route, file).split('<div').length
    assert.equal(framesOf(bare), framesOf(withTexts({ features: entries(1) })) - 3, route.path)
  }
  assert.doesNotMatch(mainOf(tokenomics, bare), /<ol|fact-row/)
  const one = withTexts({ facts: entries(1).map(({ title, text }) => ({ title, text })) })
  assert.equal(mainOf(tokenomics, one).split('fact-row').length - 1, 1, 'one fact has one row')
})

test('the ticket on Home counts tasks in words and the points of each kind', () => {
  const ticketOf = (tasks: CampaignFile['airdrop']['tasks']) => {
    const main = mainOf(home, campaignWith({ tasks }))
    return main
      .slice(main.indexOf('class="offer"'))
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
  }
  assert.match(
    ticketOf(campaign.airdrop.tasks),
    /Four tasks, one ticket .* Tasks 4 PF points 20,000 PLS points 20,000 /,
  )
  // Half of these tasks are worth less PLS than PF.
  assert.match(ticketOf(tasksOf(10)), /Ten tasks, one ticket .* Tasks 10 PF points 55,000 PLS points 25,400 /)
  const one = tasksOf(1).map((task) => ({ ...task, points: { pf: 0, pls: 7 } }))
  assert.match(ticketOf(one), /One task, one ticket .* Task 1 PLS points 7 /)
  assert.doesNotMatch(ticketOf(one), /PF points/)
})

test('the airdrop’s texts mention a single task, a group or hashtags only if the campaign has them', () => {
  const [one, four] = [tasksOf(1), campaign.airdrop.tasks]
  assert.equal(TASKS.title({ tasks: 1 }), 'One task')
  assert.equal(TASKS.allDone({ tasks: 1 }), 'Task Done — Continue')
  assert.equal(TASKS.notDone({ tasks: 1 }), 'Complete the Task to Continue')
  assert.equal(TASKS.allDone({ tasks: 2 }), 'All Tasks Done — Continue')
  assert.equal(TASKS.notDone({ tasks: 2 }), 'Complete All Tasks to Continue')
  assert.doesNotMatch(TASKS.lead({ tasks: 1 }), /each/i)
  for (const canConnectTelegram of [true, false]) {
    const wordsOf = (tasks: typeof four) =>
      explainChecks(tasks, canConnectTelegram)
        .map(({ text }) => text)
        .join(' ')
    assert.match(wordsOf(four), /hashtags and time.*joining the group/)
    assert.doesNotMatch(wordsOf(one), /hashtag|group/)
    assert.equal(/your handle is yours/.test(wordsOf(one)), canConnectTelegram)
  }
  assert.match(TELEGRAM.lead({ hasGroup: true }), /joined the group/)
  assert.doesNotMatch(TELEGRAM.lead({ hasGroup: false }), /group/)
})
