type Post = {
  by: string
  id: string
  /** Plain text; hashtags become links, as on X. */
  text: string
  name?: string
  /** X uses either. */
  host?: 'x.com' | 'twitter.com'
}

/** The answer of X's oEmbed service about a post. */
export function embedOf({ by, id, text, name = 'Somebody', host = 'twitter.com' }: Post) {
  const linked = escaped(text).replace(
    /#(\w+)/g,
    (_all, tag: string) =>
      `<a href="https://${host}/hashtag/${tag}?src=hash&amp;ref_src=twsrc%5Etfw">#${tag}</a>`,
  )
  const link = `https://${host}/${by}/status/${id}`
  return {
    url: link,
    author_name: name,
    author_url: `https://${host}/${by}`,
    html:
      `<blockquote class="twitter-tweet" data-dnt="true"><p lang="en" dir="ltr">${linked}</p>` +
      `&mdash; ${escaped(name)} (@${by}) <a href="${link}?ref_src=twsrc%5Etfw">June 1, 2026</a></blockquote>\n`,
    width: 550,
    height: null,
    type: 'rich',
    cache_age: '3153600000',
    provider_name: 'Twitter',
    provider_url: `https://${host}`,
    version: '1.0',
  }
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>')

/** A chat member in the Bot API's format. */
export const memberOf = (userId: number, status: string, isMember?: boolean) => ({
  ok: true,
  result: {
    status,
    user: { id: userId, is_bot: false, first_name: 'Somebody' },
    ...(isMember === undefined ? {} : { is_member: isMember }),
  },
})

/** An error in the Bot API's format. */
export const botRefusal = (code: number, description: string, retryAfter?: number) => ({
  ok: false,
  error_code: code,
  description,
  ...(retryAfter === undefined ? {} : { parameters: { retry_after: retryAfter } }),
})
