import { DRIFT_WORDS } from '#messages/dashboard-payout-pack.js'
import type { Drift } from '#contract/allocation.ts'
import { toGroupedUnits } from '#contract/whole-units.ts'

const amountOf = (amount: bigint, { symbol, decimals }: Unit) =>
  `${toGroupedUnits(amount, decimals)} ${symbol}`

type Unit = { symbol: string; decimals: number }
type Amounts<T> = { pf: T; pls: T }
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
type Counts = { count: number; totals: Amounts<bigint>; recipients: Amounts<number> }

/** The summary for people in a payout pack, as Markdown. */
export function packReadme(facts: Facts, counts: Counts): string {
  return [
    ...intro(facts, counts),
    ...warnings(facts, counts),
    ...changes(facts),
    ...files(facts, counts),
    ...VERIFY,
  ].join('\n')
}

function intro(
  { campaign, frozenAt, chain, token, coin, root }: Facts,
  { count, totals, recipients }: Counts,
) {
  return [
    `# Payout of ${asText(campaign.name)}`,
    '',
    `Campaign \`${campaign.id}\`, frozen at ${frozenAt}. Every file here was made from the same frozen allocation.`,
    '',
    '| | |',
    '| --- | --- |',
    `| Wallets | ${count.toLocaleString('en')} |`,
    `| ${token.symbol} | ${amountOf(totals.pf, token)} to ${walletsOf(recipients.pf)} |`,
    `| ${coin.symbol} | ${amountOf(totals.pls, coin)} to ${walletsOf(recipients.pls)} |`,
    `| Chain | ${asText(chain.name)}, ${chain.id} |`,
    `| Token | \`${token.contract}\`, ${token.decimals} decimals |`,
    `| Merkle root | \`${root}\` |`,
    '',
  ]
}

const walletsOf = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'wallet' : 'wallets'}`

/** A text of the campaign file as plain text: nothing in it can become markup or break the line. */
const asText = (text: string) => text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>|#]/g, '\\$&')

function warnings({ contracts, coin, token }: Facts, { recipients }: Counts): string[] {
  const lines = [
    ...(['pf', 'pls'] as const)
      .filter((asset) => recipients[asset] === 0)
      .map(
        (asset) =>
          `Nothing is paid in ${asset === 'pf' ? token.symbol : coin.symbol}, so \`${asset}/\` is missing.`,
      ),
    ...(['pf', 'pls'] as const)
      .filter((asset) => recipients[asset] === 1)
      .map((asset) => `\`${asset}/sablier.csv\` is missing: Sablier needs at least two recipients.`),
    ...(contracts.length === 0
      ? []
      : [
          `${walletsOf(contracts.length)} had contract code at the freeze. Some contracts cannot pass on what they receive, and some refuse ${coin.symbol}: ask their owners before you pay. \`contracts.txt\` lists them.`,
        ]),
  ]
  return lines.length === 0 ? [] : ['## Before you pay', '', ...lines.map((line) => `- ${line}`), '']
}

export const driftLine = ({ wallet, drift }: { wallet: string | null; drift: Drift }) =>
  `${wallet ?? 'no wallet'}: ${DRIFT_WORDS[drift]}`

/** Where the ledger no longer agrees; wallets only where they are named. */
function changes({ drift: { counts, named } }: Facts): string[] {
  const { undone, changed, added, banned, unbanned } = counts
  const total = undone + changed + added + banned + unbanned
  if (total === 0) return []
  const kinds = [
    ...(undone > 0 ? [`${undone.toLocaleString('en')} no longer approved`] : []),
    ...(changed > 0 ? [`${changed.toLocaleString('en')} with other points`] : []),
    ...(added > 0 ? [`${added.toLocaleString('en')} approved later`] : []),
    ...(banned > 0 ? [`${banned.toLocaleString('en')} banned since`] : []),
    ...(unbanned > 0 ? [`${unbanned.toLocaleString('en')} whose ban was lifted`] : []),
  ]
  const rest = total - named.length
  return [
    '## Changed since the freeze',
    '',
    `When these files were written, the ledger differed for ${total.toLocaleString('en')} ${total === 1 ? 'participant' : 'participants'}: ${kinds.join(', ')}. The files have what was frozen.`,
    '',
    ...named.map((one) => `- ${driftLine(one)}`),
    ...(named.length > 0 && rest > 0
      ? [`- … and ${rest.toLocaleString('en')} more: see the dashboard.`]
      : []),
    ...(named.length > 0 ? [''] : []),
  ]
}

function files({ token, coin }: Facts, { recipients }: Counts): string[] {
  const wrapped =
    coin.wrapped === null ? `wrapped ${coin.symbol}` : `wrapped ${coin.symbol} (\`${coin.wrapped}\`)`
  return [
    '## Choose one way to pay',
    '',
    `Each asset has a folder: \`pf/\` for ${token.symbol}, \`pls/\` for ${coin.symbol}. Use one file of each folder; using two pays twice. Amounts are in whole ${token.symbol} or ${coin.symbol} unless the table says base units.`,
    '',
    '| file | for | what to do |',
    '| --- | --- | --- |',
    '| `recipients.csv` | you | read it, or give it to a tool that is not listed; has whole and base units |',
    '| `safe/safe-….csv` | Safe’s CSV Airdrop app | paste one file after the other; each is one transaction of at most 400 payments. Leave the files as they are: a line break at the end counts as a line |',
    '| `disperse.txt` | disperse.app and similar | paste it; `address,amount` in whole units, without a header |',
    '| `sablier.csv` | Sablier Airdrops, where it serves your chain | upload it |',
    '| `openzeppelin.json` | a contract with OpenZeppelin’s MerkleProof | deploy with the root in it; `StandardMerkleTree.load` gives the proofs. Base units |',
    '| `uniswap.json` | Uniswap’s MerkleDistributor | deploy with `merkleRoot` and fund it with the total; wallets claim for themselves, with no deadline, and you can’t take anything back. Base units, hexadecimal |',
    '',
    ...(recipients.pls === 0
      ? []
      : [
          `Claim contracts and Sablier can only pay tokens: with \`sablier.csv\`, \`openzeppelin.json\` and \`uniswap.json\` from \`pls/\` you pay ${wrapped}. Safe and disperse pay ${coin.symbol} itself.`,
          '',
        ]),
  ]
}

const VERIFY = [
  '## Verify',
  '',
  '- `sha256sum -c SHA256SUMS` shows that no file was changed or is missing.',
  '- `allocation.json` is the public tree that the Merkle root above belongs to: an OpenZeppelin `standard-v1` tree over `["address","uint256","uint256"]`, which are the wallet and its amounts in the base units of both assets. Anyone can load it and compare the root with the one in the journal.',
  '',
]
