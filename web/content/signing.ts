import { apart } from './wallet.ts'

/** Texts of the panel that asks for the signature, which is loaded when it is needed. */
export const SIGNING = {
  choose: 'Which wallet do you want to sign with?',
  signWith: (name: string) => `Sign with ${apart(name)}`,
  asking: (name: string) => `${apart(name)} is asking you to sign a message. Respond in your wallet.`,
  noWallet:
    'We couldn’t find a wallet in this browser. On a phone, open this page in your wallet app’s browser. On a computer, use the browser that your wallet is installed in. You can also continue without a proof.',
  incomplete: 'Enter the full wallet address first, or clear the field to use the address of your wallet.',
  noAccount: (name: string) =>
    `${apart(name)} isn’t sharing an account with this page. Unlock it and try again.`,
  otherAccount: (name: string, account: string, wanted: string) =>
    `${apart(name)} is set to ${account}, but the address here is ${wanted}. Switch to that account in your wallet, or correct the address.`,
  /** By the code of the refusal (EIP-1193, EIP-1474). */
  refusals: {
    '4001': (name: string) =>
      `You declined in ${apart(name)}, so nothing was signed. Try again if you change your mind.`,
    '4100': (name: string) => `${apart(name)} is locked. Unlock it and try again.`,
    '4200': (name: string) =>
      `${apart(name)} can’t sign messages. Use another wallet, or continue without a proof.`,
    '-32601': (name: string) =>
      `${apart(name)} can’t sign messages. Use another wallet, or continue without a proof.`,
    '-32002': (name: string) =>
      `${apart(name)} is still waiting for your earlier response. Open it and respond there.`,
  } as Record<string, (name: string) => string>,
  unanswered: 'We couldn’t check the signature. Please try again.',
  failed: (name: string) => `${apart(name)} couldn’t sign. Try again, or continue without a proof.`,
} as const
