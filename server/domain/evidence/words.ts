/** What checks report to reviewers. Foreign data in it has matched a pattern or is capped. */
export const FINDING_WORDS = {
  notYet: 'Not checked yet.',
  failed: 'The check itself failed. See the log.',
  unclear: (why: string) => `No usable answer: ${why}.`,

  postShown: 'X shows this post.',
  postNotShown: (status: number) =>
    `X shows no such post (${status}). It may be deleted or protected, or X may be refusing this server.`,
  postOther: 'X returned a different post from the one we requested.',
  postShape: 'X answered in an unknown format.',
  author: (handle: string, claimed: string) =>
    sameHandle(handle, claimed)
      ? `The post is by @${handle}, as claimed.`
      : `The post is by @${handle}; the form says @${claimed}.`,
  hashtagsThere: (tags: readonly string[]) => `The post includes ${tags.join(' ')}.`,
  hashtagsMissing: (tags: readonly string[]) => `The post is missing ${tags.join(' ')}.`,
  hashtagsCut: (tags: readonly string[]) =>
    `X shows only the beginning of the post, without ${tags.join(' ')}.`,
  /** The screen shows ISO times in the reviewer's time zone. */
  postTime: (madeAt: Date, opensAt: Date) =>
    `The post was published on ${madeAt.toISOString()}; the campaign opened on ${opensAt.toISOString()}.`,

  noBot: 'No bot is set up, so group membership can’t be checked.',
  noGroup: 'The group link doesn’t lead to a public group that a bot can check.',
  noTelegramId: 'The participant hasn’t connected Telegram, and a handle alone can’t be checked.',
  telegramMember: (status: string) => `In the group, as ${status}.`,
  telegramGone: (status: string) => `Not in the group (${status}).`,
  telegramUnknown: 'Telegram can’t find this account because it has never been in contact with the bot.',
  telegramNotTheirs: 'Without a connected account, we can’t tell whose Telegram handle this is.',
  telegramNoName: 'The connected Telegram account has no public name.',
  telegramHandle: (handle: string, claimed: string) =>
    sameHandle(handle, claimed)
      ? `The connected Telegram account is @${handle}, as claimed.`
      : `The connected Telegram account is @${handle}; the form says @${claimed}.`,
  telegramBot: 'Telegram doesn’t accept the bot. Check its token, and that it’s in the group.',

  walletRight: 'A valid address with a matching checksum. It is neither a burn address nor the token.',
  walletWrong: 'Not an address that can receive an airdrop.',
  walletProven: (kind: string | null) =>
    kind === 'contract'
      ? 'The participant signed with this wallet, a contract that accepted the signature.'
      : 'The participant signed with this wallet.',
  walletNotProven: 'The participant hasn’t signed with this wallet. Signing is optional.',
  walletProvenOther: (address: string) =>
    `The participant has proven another wallet, ${address}, but not this one.`,
  walletOfOther: 'Another participant has proven that this wallet is theirs.',
  otherChain: (id: number) => `The node we asked isn’t on chain ${id}.`,
  walletPlain: 'A regular account.',
  walletContract: 'A contract. Smart wallets are contracts too, so ask the participant if in doubt.',
  walletSent: (count: bigint) => `Has sent ${count} ${count === 1n ? 'transaction' : 'transactions'}.`,
  walletHolds: 'Has sent nothing yet, but holds coins.',
  walletUnused: 'Never used. It has sent nothing and holds no coins.',
} as const

export const sameHandle = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
