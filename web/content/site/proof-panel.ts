import { VERDICT_NAMES, VERDICT_STAMPS as OTHER_STAMPS } from '#messages/proofs.js'
import type { Verdict } from '#contract/proofs/proof.ts'

/** A verdict as it is shown: nothing is asked about a placeholder. */
export type ShownVerdict = Verdict | 'placeholder'

/** The words on the stamps. */
export const VERDICT_STAMPS: Readonly<Record<ShownVerdict, string>> = { ...OTHER_STAMPS, ...VERDICT_NAMES }
