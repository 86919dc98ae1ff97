import { isDeepStrictEqual } from 'node:util'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { PageProps } from '#web/site/site-context.ts'
import type { CampaignSource } from '#server/domain/campaign/live-campaign.ts'
import type { PublicAnswer } from '#server/platform/http/public-answers/answer.ts'
import type { Source } from '#server/platform/http/public-answers/public-answers.ts'

/** `ready` is absent while the answer is being rendered. */
type Rendered = { campaign: CampaignFile; answer: Promise<PublicAnswer>; ready?: PublicAnswer }

/** The answer changes only with the campaign's settings. Visitors share a rendering, unless it failed. */
export function campaignSource(
  live: CampaignSource,
  render: (campaign: CampaignFile) => Promise<PublicAnswer>,
): Source {
  let rendered: Rendered | undefined
  return {
    current: () => (rendered?.campaign === live.campaign ? rendered.ready : undefined),
    read() {
      const { campaign } = live
      if (rendered?.campaign === campaign) return rendered.answer
      const rendering: Rendered = { campaign, answer: render(campaign) }
      rendered = rendering
      rendering.answer.then(
        (answer) => {
          rendering.ready = answer
        },
        () => {
          if (rendered === rendering) rendered = undefined
        },
      )
      return rendering.answer
    },
  }
}

/** The values on a page that change while the server runs. */
export type Live = Pick<PageProps, 'campaign'> & Partial<PageProps>

/** Creates a reader of a page. It renders again only if a value has changed or the rendering has failed. */
export function livePage(
  readLive: () => Promise<Live>,
  render: (live: Live) => Promise<PublicAnswer>,
): () => Promise<PublicAnswer> {
  let rendered: { live: Live; page: Promise<PublicAnswer> } | undefined
  return async () => {
    const live = await readLive()
    if (rendered && isSame(rendered.live, live)) return rendered.page
    const rendering = { live, page: render(live) }
    rendered = rendering
    rendering.page.catch(() => {
      if (rendered === rendering) rendered = undefined
    })
    return rendering.page
  }
}

/** Compares by identity, because each value stays the same object until it changes. */
const isSame = (one: Live, other: Live) =>
  one.campaign === other.campaign &&
  one.heads === other.heads &&
  one.life === other.life &&
  one.archive === other.archive &&
  one.proofs === other.proofs

const READ_TIMEOUT_MS = 300

/**
 * Creates a reader that returns the last value if reading takes too long, so that a page opens while the
 * database does not respond. The first time, it waits for the value however long it takes.
 * @param read must never reject.
 */
export function staleWhenSlow<Value>(read: () => Promise<Value>) {
  let last: { value: Value } | undefined
  return async () => {
    const reading = read().then((value) => {
      last = { value }
      return value
    })
    if (!last) return reading
    const { promise: timeout, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, READ_TIMEOUT_MS)
    await Promise.race([reading, timeout])
    clearTimeout(timer)
    return last.value
  }
}

/** Returns the same object until the value changes. Never rejects: `fallback` replaces a failure. */
export function sameUntilChanged<Value>(read: () => Promise<Value>, fallback: (error: unknown) => Value) {
  let last: { value: Value } | undefined
  return async () => {
    const value = await read().catch(fallback)
    if (!last || !isDeepStrictEqual(last.value, value)) last = { value }
    return last.value
  }
}
