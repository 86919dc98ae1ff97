import { DRIFT_WORDS, PACK_README } from '#messages/dashboard-payout-pack.js'
import { INTL_TAG } from '#messages/locale.js'
import { ASSETS, Drift } from '#contract/allocation.ts'
import { type Unit, unitsInWords } from '../units.ts'

type PerAsset<T> = { pf: T; pls: T }
/** `coin.wrapped`: the wrapped coin's address. `drift.named`: only some of the participants in `counts`. */
type Facts = {
  root: string
  campaign: { id: string; name: string }
  frozenAt: string
  chain: { id: number; name: string }
  token: Unit & { contract: string }
  coin: Unit & { wrapped: string | null }
  contracts: readonly string[]
  drift: { counts: Record<Drift, number>; named: readonly { wallet: string | null; drift: Drift }[] }
}
/** Sums over the wallets of the allocation. `recipients`: how many wallets get some of each asset. */
type Sums = { count: number; totals: PerAsset<bigint>; recipients: PerAsset<number> }

/** The README of a payout pack (the files for the tools that pay), as Markdown. */
export function packReadme(facts: Facts, sums: Sums): string {
  // The token's symbol needs no escaping: it has only letters, digits and `$`.
  const withSafeSymbol = { ...facts, coin: { ...facts.coin, symbol: escapeMarkdown(facts.coin.symbol) } }
  return [
    ...intro(withSafeSymbol, sums),
    ...warnings(withSafeSymbol, sums),
    ...changesSinceFreeze(withSafeSymbol),
    ...waysToPay(withSafeSymbol, sums),
    ...section(PACK_README.verify.title, [`- ${PACK_README.verify.sums}`, `- ${PACK_README.verify.tree}`]),
  ].join('\n')
}

const section = (title: string, lines: readonly string[]) => [`## ${title}`, '', ...lines, '']
const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`

function intro({ campaign, frozenAt, chain, token, coin, root }: Facts, { count, totals, recipients }: Sums) {
  const { title, intro: text, facts: words } = PACK_README
  const toPay = (asset: keyof PerAsset<bigint>, unit: Unit) =>
    words.amount({ amount: unitsInWords(totals[asset], unit), wallets: recipients[asset] })
  return [
    `# ${title({ campaign: escapeMarkdown(campaign.name) })}`,
    '',
    text({ id: campaign.id, date: frozenAt }),
    '',
    '| | |',
    row('---', '---'),
    row(words.wallets, count.toLocaleString(INTL_TAG)),
    row(token.symbol, toPay('pf', token)),
    row(coin.symbol, toPay('pls', coin)),
    row(words.chain, words.chainIs({ name: escapeMarkdown(chain.name), id: chain.id })),
    row(words.token, words.tokenIs({ contract: token.contract, decimals: token.decimals })),
    row(words.root, `\`${root}\``),
    '',
  ]
}

/** Makes a text of the campaign file safe in Markdown: it cannot become markup or break the line. */
const escapeMarkdown = (text: string) => text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>|#]/g, '\\$&')

function warnings({ contracts, coin, token }: Facts, { recipients }: Sums): string[] {
  const { before } = PACK_README
  const symbols = { pf: token.symbol, pls: coin.symbol }
  const items = [
    ...ASSETS.filter((asset) => recipients[asset] === 0).map((asset) =>
      before.nothing({ symbol: symbols[asset], folder: asset }),
    ),
    ...ASSETS.filter((asset) => recipients[asset] === 1).map((asset) => before.single({ folder: asset })),
    ...(contracts.length === 0 ? [] : [before.contracts({ wallets: contracts.length, coin: coin.symbol })]),
  ].map((warning) => `- ${warning}`)
  return items.length === 0 ? [] : section(before.title, items)
}

export const driftLine = ({ wallet, drift }: { wallet: string | null; drift: Drift }) =>
  PACK_README.changed.line({ wallet: wallet ?? PACK_README.changed.noWallet, drift: DRIFT_WORDS[drift] })

/** A count of each kind of change, and a line for each participant in `named`; empty if nothing changed. */
function changesSinceFreeze({ drift: { counts, named } }: Facts): string[] {
  const words = PACK_README.changed
  const participants = Drift.options.reduce((sum, kind) => sum + counts[kind], 0)
  if (participants === 0) return []
  const kinds = Drift.options
    .filter((kind) => counts[kind] > 0)
    .map((kind) => words.kinds[kind]({ count: counts[kind] }))
  const unnamed = participants - named.length
  return [
    ...section(words.title, [words.text({ participants, kinds: COMMA_LIST.format(kinds) })]),
    ...named.map((participant) => `- ${driftLine(participant)}`),
    ...(named.length > 0 && unnamed > 0 ? [`- ${words.more({ count: unnamed })}`] : []),
    ...(named.length > 0 ? [''] : []),
  ]
}

/** Joins with commas only, without “and”. */
const COMMA_LIST = new Intl.ListFormat(INTL_TAG, { type: 'unit' })

/** Where each file is within an asset's folder. */
const FILES = {
  recipients: 'recipients.csv',
  safe: 'safe/safe-….csv',
  disperse: 'disperse.txt',
  sablier: 'sablier.csv',
  openzeppelin: 'openzeppelin.json',
  uniswap: 'uniswap.json',
} as const

function waysToPay({ token, coin }: Facts, { recipients }: Sums): string[] {
  const { ways: words, columns, files } = PACK_README
  const wrapped =
    coin.wrapped === null
      ? words.wrapped({ coin: coin.symbol })
      : words.wrappedAt({ coin: coin.symbol, address: coin.wrapped })
  return [
    ...section(words.title, [words.text({ token: token.symbol, coin: coin.symbol })]),
    row(columns.file, columns.for, columns.todo),
    row('---', '---', '---'),
    ...(Object.keys(FILES) as (keyof typeof FILES)[]).map((name) =>
      row(`\`${FILES[name]}\``, files[name].for, files[name].todo),
    ),
    '',
    ...(recipients.pls === 0 ? [] : [words.claims({ wrapped, coin: coin.symbol }), '']),
  ]
}
