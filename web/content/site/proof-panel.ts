import {
  VERDICT_STAMPS as VERDICT_STAMPS_MESSAGES,
  PROOF_PANEL as PROOF_PANEL_MESSAGES,
} from '#messages/proof-panel.js'
import type { Verdict } from '#contract/proofs/proof.ts'
import { VERDICT_NAMES } from '#messages/proofs.js'

/** A verdict as it is shown: nothing is asked about a placeholder. */
export type ShownVerdict = Verdict | 'placeholder'

/** The words on the stamps. */
export const VERDICT_STAMPS = {
  ...VERDICT_STAMPS_MESSAGES,
  ...VERDICT_NAMES,
}

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
  ...PROOF_PANEL_MESSAGES,
  time: (iso: string) => `${TIME.format(new Date(iso))} UTC`,
}
