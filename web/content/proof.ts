import type { Proof } from '#contract/claims/proof.ts'

type FieldTexts = { label: string; placeholder: string; hint?: string }

/** Texts of the proof's fields: on the form, in the dashboard and on the profile. */
export const PROOF_TEXTS: Record<keyof Proof, FieldTexts> = {
  wallet: {
    label: 'Wallet Address',
    placeholder: 'EVM-compatible wallet address',
    hint: 'Your public address only. We will never ask for a private key or seed phrase.',
  },
  telegram: { label: 'Telegram', placeholder: '@your_telegram' },
  twitter: { label: 'Twitter', placeholder: '@your_twitter' },
  retweetLink: {
    label: 'Retweet Link',
    placeholder: 'https://x.com/your_twitter/status/…',
    hint: 'The link to your own comment or quote. A plain repost has no link of its own.',
  },
}
