import type { AllocationSummary } from '#contract/allocation.ts'
import { ALLOCATION } from '#messages/allocation.js'
import { type UnitParts, unitParts } from '#web/content/units.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { element } from '#web/ui/element.ts'
import { saveAsJson } from '#web/ui/save-file.ts'
import { type Allotment, isAllotted, leafOf } from './verify.ts'

const HASH = 'figures block text-xs wrap-anywhere'

/** Verifies what a lookup found (null if nothing), and shows it as a ticket. */
export function resultOf(
  allotment: Allotment | null,
  wallet: string,
  summary: AllocationSummary,
): HTMLElement {
  if (!allotment) return ticket(wallet, 'absent')
  const verdict = isAllotted(allotment, summary.root) ? 'verified' : 'unproven'
  return ticket(wallet, verdict, amountsOf(allotment, summary), detailsOf(allotment, summary))
}

export const failureOf = (wallet: string) => ticket(wallet, 'failed')

/** The class of each verdict, which is a stamp if details follow, otherwise a heading. */
const TONES = { absent: '', failed: 'text-accent-text', verified: 'text-proof', unproven: 'text-accent-text' }

function ticket(
  wallet: string,
  verdict: keyof typeof TONES,
  ...details: readonly HTMLElement[]
): HTMLElement {
  const heading =
    details.length > 0
      ? element('span', { class: `stamp ${TONES[verdict]}` }, ALLOCATION[verdict])
      : element('strong', { class: `text-lg ${TONES[verdict]}` }, ALLOCATION[verdict])
  return element(
    'article',
    { class: 'allotment' },
    element('p', { class: 'figures text-sm font-medium wrap-anywhere' }, wallet),
    element(
      'div',
      { class: 'allotment-verdict' },
      heading,
      element('p', { class: 'text-sm text-ink-soft' }, ALLOCATION[`${verdict}Text`]),
    ),
    ...details,
  )
}

function amountsOf({ amounts }: Allotment, { token, coin }: AllocationSummary): HTMLElement {
  const amount = (units: string, { symbol, decimals }: { symbol: string; decimals: number }) =>
    element(
      'div',
      {},
      element('dt', { class: 'label' }, symbol),
      element('dd', { class: 'allotment-amount' }, ...digitsOf(unitParts(BigInt(units), decimals))),
    )
  return element(
    'dl',
    { class: 'allotment-amounts', 'aria-label': ALLOCATION.amounts },
    amount(amounts.pf, token),
    amount(amounts.pls, coin),
  )
}

/** Sets the fraction in smaller type: it has up to 18 digits, and people look for the whole units. */
const digitsOf = ({ whole, fraction }: UnitParts): (Node | string)[] =>
  fraction === '' ? [whole] : [whole, element('span', { class: 'allotment-fraction' }, fraction)]

function detailsOf(allotment: Allotment, { root }: AllocationSummary): HTMLElement {
  const leaf = leafOf(allotment)
  const steps = allotment.proof.map((hash) => element('li', {}, element('code', { class: HASH }, hash)))
  const button = element(
    'button',
    { type: 'button', class: buttonStyle('secondary', 'compact') },
    ALLOCATION.download,
  )
  const saveProof = () => saveAsJson({ ...allotment, leaf, root }, `allocation-${allotment.wallet}`)
  button.addEventListener('click', saveProof)
  return element(
    'details',
    { class: 'allotment-details' },
    element('summary', {}, ALLOCATION.details),
    detail(ALLOCATION.leaf, ALLOCATION.leafText, element('code', { class: HASH }, leaf)),
    detail(
      ALLOCATION.proof,
      ALLOCATION.proofText({ steps: steps.length }),
      element('ol', { class: 'allotment-steps' }, ...steps),
    ),
    detail(ALLOCATION.root, '', element('code', { class: HASH }, root)),
    button,
  )
}

function detail(title: string, text: string, content: HTMLElement): HTMLElement {
  return element(
    'section',
    {},
    element('h3', { class: 'label font-text' }, title),
    ...(text === '' ? [] : [element('p', { class: 'text-sm text-ink-soft' }, text)]),
    content,
  )
}
