import type { Verdict } from '#contract/proofs/proof.ts'
import { VERDICT_NAMES } from './proofs.ts'

/** A verdict as it is shown: nothing is asked about a placeholder. */
export type ShownVerdict = Verdict | 'placeholder'

/** The words on the stamps. */
export const VERDICT_STAMPS: Record<ShownVerdict, string> = { ...VERDICT_NAMES, placeholder: 'Placeholder' }

/** On a text that states a proven claim. */
export const VERIFIED = 'Verified'

const TIME = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

/** Texts of the proof panel. */
export const PROOF_PANEL = {
  title: 'Don’t trust us. Ask the chain.',
  lead: (chain: string) =>
    `Once a minute, this site asks ${chain} about its own claims and stamps the ones that hold. You can ask too, from your own browser.`,
  tally: 'claims proven',
  placeholder: {
    title: 'Nothing to prove yet.',
    lead: 'The contract address is a placeholder, so there is no token to check yet. Once a real one is set, this site asks the chain every minute and stamps what holds.',
    tally: 'no token to check',
    asked: 'Will be asked',
  },
  block: (number: string) => `Block ${number}`,
  asked: 'Asked',
  limits: 'What this does not show',
  explorer: 'Block explorer',
  /** @param iso a time. */
  time: (iso: string) => `${TIME.format(new Date(iso))} UTC`,
  yourself: 'Check it yourself',
  command: 'The same calls from a terminal:',
  inBrowser: 'Ask from your browser',
  commandOf: (claim: string) => `the command for ${claim}`,
}
