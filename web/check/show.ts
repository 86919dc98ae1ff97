import type { CampaignFile } from '#contract/campaign-file.ts'
import type { AnsweredCall, Proof, TokenCheck } from '#contract/token-proofs/proof.ts'
import type { TokenProof } from '#contract/token-proofs.ts'
import type { RpcFailure } from '#contract/token-proofs/rpc.ts'
import { CHECK, RPC_FAILURES } from '#messages/check.js'
import { answerOf, limitsOf, type ShownVerdict } from '../content/site/proofs.ts'
import { element } from '#web/ui/element.ts'
import { formatInteger } from '#web/ui/text/format.ts'
import type { Exchange } from './browser-post.ts'

export type Subject = Pick<CampaignFile, 'token' | 'chain'> & {
  /** The site's verdicts when it rendered the page. `reason` is only the reason's code. */
  proofs: readonly Pick<TokenProof, 'claim' | 'verdict' | 'reason'>[]
}

/** The page's element with a selector. @throws if there is none. */
export function find(selector: string, within: ParentNode = document): HTMLElement {
  const match = within.querySelector<HTMLElement>(selector)
  if (!match) throw new Error(`The page has no ${selector}`)
  return match
}

/** Fills in each claim's tag, the box from check-page.tsx. @returns a summary of the verdicts. */
export function showCheck({ block, proofs }: TokenCheck, subject: Subject): string {
  for (const proof of proofs) showProof(proof, subject)
  if (subject.token.placeholder) return CHECK.placeholder
  const cause = failureOf(proofs, subject)
  if (cause !== undefined) return cause
  const proven = proofs.filter(({ verdict }) => verdict === 'proven').length
  return [
    CHECK.summary({ proven, total: proofs.length }),
    ...(block ? [CHECK.atBlock({ block: formatInteger(block.number) })] : []),
    compareWithSite(proofs, subject),
  ].join(' ')
}

function compareWithSite(proofs: readonly Proof[], subject: Subject): string {
  if (subject.proofs.every(({ reason }) => reason === 'not_checked')) return CHECK.siteSilent
  const differing = proofs.filter((proof) => siteProofOf(proof, subject)?.verdict !== proof.verdict).length
  return differing === 0 ? CHECK.agree : CHECK.differ({ verdicts: differing })
}

/** Why no claim could be checked; undefined if at least one could. */
function failureOf(proofs: readonly Proof[], { chain }: Subject): string | undefined {
  const failures = proofs.map(({ reason }) => {
    if (reason.code === 'other_chain')
      return failureWords({ kind: 'other_chain', answered: reason.answered }, chain)
    return reason.code === 'no_answer' ? failureWords(reason.failure, chain) : undefined
  })
  return failures.includes(undefined) ? undefined : failures[0]
}

function failureWords(failure: RpcFailure, { name, id }: { name: string; id: number }): string {
  switch (failure.kind) {
    case 'status':
      return RPC_FAILURES.status({ status: failure.status })
    case 'other_chain':
      return RPC_FAILURES.other_chain({ chain: name, id, answered: failure.answered })
    case 'error':
      return RPC_FAILURES.error({ message: failure.message })
    case 'unreachable':
    case 'too_large':
    case 'garbage':
      return RPC_FAILURES[failure.kind]
  }
}

function showProof(proof: Proof, subject: Subject) {
  const { claim, verdict, reason, asked } = proof
  const tag = find(`#${claim}`)
  showStamp(find('[data-stamp]', tag), reason.code === 'placeholder' ? 'placeholder' : verdict)

  const answer = find('[data-answer]', tag)
  const answerWords = answerOf(reason, subject)
  answer.hidden = false
  find('dd', answer).textContent = answerWords
  find('[data-limits]', tag).textContent = limitsOf(claim, reason)

  const siteAnswer = find('[data-site]', tag)
  siteAnswer.hidden = find('dd', siteAnswer).textContent === answerWords
  const { same, other } = CHECK.compare
  find('[data-compare]', tag).textContent = siteProofOf(proof, subject)?.verdict === verdict ? same : other

  const calls = find('[data-calls]', tag)
  calls.hidden = asked.length === 0
  find('ol', calls).replaceChildren(...asked.map(callItem))
}

const siteProofOf = ({ claim }: Proof, { proofs }: Subject) => proofs.find((proof) => proof.claim === claim)

function showStamp(place: HTMLElement, verdict: ShownVerdict) {
  const template = find(`#stamp-${verdict}`) as HTMLTemplateElement
  place.replaceChildren(template.content.cloneNode(true))
}

const callItem = ({ method, params, answer }: AnsweredCall) =>
  element('li', {}, command(`${method} ${JSON.stringify(params)}\n→ ${answer}`))

const command = (text: string) => element('pre', { class: 'command' }, text)

/** A request as it was sent, with its answer. If none could be read, `status` is 0 and `answer` says why. */
export function exchangeItem({ request, status, answer, ms }: Exchange): HTMLElement {
  const outcome = status === 0 ? answer : `HTTP ${status}`
  const details = element(
    'details',
    {},
    element('summary', { class: 'tag-summary' }, `${methodsOf(request)} · ${outcome} · ${ms} ms`),
    element('p', { class: 'label' }, CHECK.log.request),
    scrolling(command(request)),
    element('p', { class: 'label' }, CHECK.log.answer),
    scrolling(command(answer)),
  )
  return element('li', {}, details)
}

/** Makes a box focusable, so that the keyboard can scroll it. */
function scrolling(box: HTMLElement): HTMLElement {
  box.tabIndex = 0
  return box
}

/** A request's methods with their number of calls: `eth_call × 12`. */
function methodsOf(request: string): string {
  const calls = [JSON.parse(request) as { method: string } | { method: string }[]].flat()
  const counts = new Map<string, number>()
  for (const { method } of calls) counts.set(method, (counts.get(method) ?? 0) + 1)
  return Array.from(counts, ([method, count]) => (count === 1 ? method : `${method} × ${count}`)).join(', ')
}
