/** Texts about proving that a wallet is one's own: on the proof step and on the profile. */
export const WALLET_PROOF = {
  title: 'Wallet',
  /** Names the group of the controls for screen readers. */
  group: 'Proof of the wallet',
  lead: 'Sign a message with this wallet, so that reviewers know it is yours. Signing is free, and no transaction is ever asked for.',
  button: 'Prove that it is yours (optional)',
  proven: 'Proven',
  provenWith: (address: string) => `You have signed with ${address}.`,
  otherProven: (address: string) => `You have proven ${address}, which is another wallet.`,
  takeProven: 'Use that address',
  remove: 'Remove the proof',
  done: 'Done.',
  failed: 'Your change was not saved. Please try again.',
  loadFailed: 'This part of the page could not be loaded. Please try again.',
} as const
