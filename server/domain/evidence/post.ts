import { decodeHTMLStrict } from 'entities/decode'
import * as z from 'zod/mini'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { readPostLink, readProfileLink } from '#contract/claims/x-post.ts'
import type { HttpClient, Outcome, Reply } from '#server/platform/outbound/http-client.ts'
import {
  type ClaimToCheck,
  copyOfReply,
  couldNotTell,
  type Finding,
  type Source,
  foundWithoutAnswer,
  type Found,
  isSameHandle,
} from './finding.ts'

const NAME = 'X oEmbed'

/** Uses X's oEmbed, which needs no API key. It cannot confirm likes, follows and plain reposts. */
export function postSource(http: HttpClient, oembedUrl: string, campaign: CampaignFile): Source {
  const hashtags = campaign.airdrop.tasks.flatMap((task) => task.hashtags ?? [])
  const hashtagChecks = hashtags.length > 0 ? (['post-hashtags'] as const) : []
  const checks = ['post', 'post-author', ...hashtagChecks] as const
  return {
    name: NAME,
    checks,
    async run(claim) {
      const address = new URL(oembedUrl)
      address.searchParams.set('url', claim.retweet_link)
      address.searchParams.set('omit_script', '1')
      address.searchParams.set('dnt', 'true')
      const { outcome, reply } = await http.requestWithReply(address.href)
      const post = readPost(outcome, reply, claim)
      const copy = copyOfReply(reply)
      if ('unclear' in post) {
        const retry = { afterSeconds: reply?.retryAfter }
        return { findings: couldNotTell({ name: NAME, checks }, post.unclear, { copy, retry }) }
      }
      return {
        findings: checkPost(post, claim, hashtags).map((finding) => ({ ...finding, copy })),
        postText: post.text,
      }
    },
  }
}

type Post = { author: string; text: string }

const Embed = z.object({
  url: z.string(),
  author_url: z.string(),
  html: z.string().check(z.maxLength(20_000)),
})

/** Even a 404 is inconclusive: X also answers 404 for existing posts when it throttles a server. */
function readPost(
  outcome: Outcome,
  reply: Reply | undefined,
  claim: ClaimToCheck,
): Post | { unclear: Found } {
  if ('refused' in outcome) return { unclear: { code: 'post_not_shown', status: outcome.refused } }
  if ('unclear' in outcome) return { unclear: foundWithoutAnswer(reply) }
  const embed = z.safeParse(Embed, outcome.answer)
  const author = readProfileLink(embed.data?.author_url ?? '')
  const text = postTextOf(embed.data?.html ?? '')
  if (!isJson(reply) || !embed.success || !author || text === undefined)
    return { unclear: { code: 'unknown_format' } }
  if (readPostLink(embed.data.url)?.id !== claim.post_id) return { unclear: { code: 'post_other' } }
  return { author, text }
}

const isJson = (reply: Reply | undefined) => /^application\/(?:[\w.-]+\+)?json\b/i.test(reply?.type ?? '')

/** Takes the author from X's reply because a link opens the post whatever handle it contains. */
function checkPost({ author, text }: Post, claim: ClaimToCheck, hashtags: readonly string[]): Finding[] {
  const isOwn = isSameHandle(author, claim.twitter)
  return [
    { check: 'post', outcome: 'confirmed', found: { code: 'post_shown' }, source: NAME },
    {
      check: 'post-author',
      outcome: isOwn ? 'confirmed' : 'contradicted',
      found: isOwn
        ? { code: 'author_same', handle: author }
        : { code: 'author_other', handle: author, claimed: claim.twitter },
      source: NAME,
    },
    ...(hashtags.length > 0 ? [checkHashtags(text, hashtags)] : []),
  ]
}

function checkHashtags(text: string, wanted: readonly string[]): Finding {
  const present = hashtagsIn(text)
  const missing = wanted.filter((tag) => !present.has(tag.toLowerCase()))
  const base = { check: 'post-hashtags', source: NAME } as const
  if (missing.length === 0)
    return { ...base, outcome: 'confirmed', found: { code: 'hashtags_there', tags: wanted.join(' ') } }
  const tags = missing.join(' ')
  return isTruncated(text)
    ? { ...base, outcome: 'could_not_tell', found: { code: 'hashtags_cut', tags } }
    : { ...base, outcome: 'contradicted', found: { code: 'hashtags_missing', tags } }
}

/**
 * The text of the first paragraph in the `html` of an oEmbed reply, which is the post itself. Ignores what
 * follows, because hashtags in the author's display name must not count. Takes linear time.
 * @returns undefined without a complete paragraph.
 */
export function postTextOf(html: string): string | undefined {
  const open = /<p(?:\s[^<>]*)?>/i.exec(html)
  if (!open) return undefined
  const afterTag = html.slice(open.index + open[0].length)
  // An index in `afterTag.toLowerCase()` would be wrong, because letters such as İ become longer there.
  const end = afterTag.search(/<\/p>/i)
  if (end < 0) return undefined
  const inside = afterTag.slice(0, end)
  return decodeHTMLStrict(inside.replace(/<br\s*\/?>/gi, '\n').replace(/<[^<>]*>/g, '')).trim()
}

/** A text's hashtags in lower case. Look-alike letters stay different. None begins in a word or after `&`. */
export function hashtagsIn(text: string): Set<string> {
  const matches = text.matchAll(/(?<![\p{L}\p{M}\p{N}_&])[#＃]([\p{L}\p{M}\p{N}_]+)/gu)
  return new Set(Array.from(matches, ([, tag]) => `#${tag?.toLowerCase()}`))
}

/** X ends a text that it cuts with an ellipsis and often a link to the post. */
export const isTruncated = (text: string) => /(?:…|\.\.\.)(?:\s+https:\/\/t\.co\/\w{1,20})?$/.test(text)
