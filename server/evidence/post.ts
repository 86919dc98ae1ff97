import * as z from 'zod/mini'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { HttpClient, Outcome, Reply } from '../platform/http-client.ts'
import { readPostLink } from '../claims/rules.ts'
import {
  copyOfReply,
  couldNotTell,
  type Finding,
  type RunCheck,
  type Source,
  type Subject,
} from './finding.ts'
import { hashtagsIn, isCut, postTextOf } from './post-text.ts'
import { sameHandle, FINDING_WORDS } from './words.ts'

const NAME = 'X oEmbed'

/**
 * The post as X's oEmbed shows it: whether it is there, whose it is, and the hashtags that the campaign asks
 * for. No key, no account; likes, follows and plain reposts cannot be seen.
 */
export function postSource(outbound: HttpClient, oembedUrl: string, campaign: CampaignFile): Source {
  const wanted = campaign.airdrop.tasks.flatMap(({ hashtags }) => hashtags ?? [])
  const hashtagCheck = wanted.length > 0 ? (['post-hashtags'] as const) : []
  const checks = ['post', 'post-author', ...hashtagCheck] as const
  return {
    name: NAME,
    checks,
    async look(claim) {
      const address = new URL(oembedUrl)
      address.searchParams.set('url', claim.retweet_link)
      address.searchParams.set('omit_script', '1')
      address.searchParams.set('dnt', 'true')
      const { outcome, reply } = await outbound.requestWithReply(address.href)
      const read = readPost(outcome, reply, claim)
      const seen = copyOfReply(reply)
      if ('unclear' in read) {
        const again = { after: reply?.retryAfter }
        return { findings: couldNotTell({ name: NAME, checks }, read.unclear, { seen, again }) }
      }
      return {
        findings: judgePost(read, claim, wanted).map((found) => ({ ...found, seen })),
        postText: read.text,
      }
    },
  }
}

type Post = { author: string; text: string }

/** `https://x.com/handle`: a handle in another script, or another host, is not of this shape. */
const AUTHOR_URL = /^https:\/\/(?:www\.|mobile\.)?(?:x|twitter)\.com\/([A-Za-z0-9_]{1,15})\/?$/

const Embed = z.object({
  url: z.string(),
  author_url: z.string().check(z.regex(AUTHOR_URL)),
  html: z.string().check(z.maxLength(20_000)),
})

/** Never "no": real posts look missing to servers that X has had enough of. */
function readPost(outcome: Outcome, reply: Reply | undefined, claim: Subject): Post | { unclear: string } {
  if ('refused' in outcome) return { unclear: FINDING_WORDS.postNotShown(outcome.refused) }
  if ('unclear' in outcome) return { unclear: FINDING_WORDS.unclear(outcome.unclear) }
  const embed = z.safeParse(Embed, outcome.answer)
  const author = AUTHOR_URL.exec(embed.data?.author_url ?? '')?.[1]
  const text = postTextOf(embed.data?.html ?? '')
  if (!isJson(reply) || !embed.success || !author || text === undefined)
    return { unclear: FINDING_WORDS.postShape }
  if (readPostLink(embed.data.url)?.id !== claim.post_id) return { unclear: FINDING_WORDS.postOther }
  return { author, text }
}

const isJson = (reply: Reply | undefined) => /^application\/(?:[\w.-]+\+)?json\b/i.test(reply?.type ?? '')

/** The author is who X says it is: a link leads to its post whatever handle is typed into it. */
function judgePost({ author, text }: Post, claim: Subject, wanted: readonly string[]): RunCheck['findings'] {
  const isOwn = sameHandle(author, claim.twitter)
  return [
    { check: 'post', outcome: 'confirmed', detail: FINDING_WORDS.postShown, source: NAME },
    {
      check: 'post-author',
      outcome: isOwn ? 'confirmed' : 'contradicted',
      detail: FINDING_WORDS.author(author, claim.twitter),
      source: NAME,
    },
    ...(wanted.length > 0 ? [judgeHashtags(text, wanted)] : []),
  ]
}

function judgeHashtags(text: string, wanted: readonly string[]): Finding {
  const there = hashtagsIn(text)
  const missing = wanted.filter((tag) => !there.has(tag.toLowerCase()))
  const found = { check: 'post-hashtags', source: NAME } as const
  if (missing.length === 0)
    return { ...found, outcome: 'confirmed', detail: FINDING_WORDS.hashtagsThere(wanted) }
  return isCut(text)
    ? { ...found, outcome: 'could_not_tell', detail: FINDING_WORDS.hashtagsCut(missing) }
    : { ...found, outcome: 'contradicted', detail: FINDING_WORDS.hashtagsMissing(missing) }
}
