/** What checks tell reviewers, in words. Data in it is only ever what a pattern let through, or capped. */
export const FINDING_WORDS = {
  notYet: 'Nobody has looked yet.',
  failed: 'The check itself failed; see the log.',
  unclear: (why: string) => `No usable answer: ${why}.`,

  postShown: 'X shows this post.',
  postNotShown: (status: number) =>
    `X shows no such post (${status}). It may be deleted or protected, or X may be turning this server away.`,
  postOther: 'X answered about another post than the one that was asked for.',
  postShape: 'X answered in another shape than the one that is known.',
  author: (handle: string, claimed: string) =>
    sameHandle(handle, claimed)
      ? `The post is by @${handle}, as claimed.`
      : `The post is by @${handle}; the form says @${claimed}.`,
  hashtagsThere: (tags: readonly string[]) => `The post carries ${tags.join(' ')}.`,
  hashtagsMissing: (tags: readonly string[]) => `The post lacks ${tags.join(' ')}.`,
  hashtagsCut: (tags: readonly string[]) =>
    `X shows only the beginning of the post, without ${tags.join(' ')}.`,
  postTime: (madeAt: Date, opensAt: Date) =>
    `The post was made at ${madeAt.toISOString()}; the campaign opened at ${opensAt.toISOString()}.`,

  noBot: 'No bot is set up, so membership of the group cannot be looked up.',
  noGroup: 'The link of the group names no public group that a bot could look into.',
  noTelegramId: 'The participant has not connected Telegram, and a handle alone cannot be looked up.',
  telegramMember: (status: string) => `In the group, as ${status}.`,
  telegramGone: (status: string) => `Not in the group: ${status}.`,
  telegramUnknown: 'Telegram does not know this person here: they have never met the bot.',
  telegramNotTheirs: 'Whose the Telegram handle is cannot be told without a connected account.',
  telegramNoName: 'The Telegram account that is connected has no public name.',
  telegramHandle: (handle: string, claimed: string) =>
    sameHandle(handle, claimed)
      ? `The Telegram account that is connected is @${handle}, as claimed.`
      : `The Telegram account that is connected is @${handle}; the form says @${claimed}.`,
  telegramBot: 'Telegram does not accept the bot: check its token, and that it is in the group.',

  walletRight: 'A well-formed address with a fitting checksum, neither a burn address nor the token.',
  walletWrong: 'Not an address that anybody could receive an airdrop at.',
  otherChain: (id: number) => `The node that was asked is not one of chain ${id}.`,
  walletPlain: 'A plain account.',
  walletContract: 'A contract. Smart wallets are contracts too: ask, if in doubt.',
  walletSent: (count: bigint) => `Has sent ${count} ${count === 1n ? 'transaction' : 'transactions'}.`,
  walletHolds: 'Has sent nothing yet, but holds coins.',
  walletUnused: 'Never used: it has sent nothing and holds no coins.',
} as const

export const sameHandle = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
