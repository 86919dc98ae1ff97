import type { ACCOUNT_REASONS, RejectionReason } from '#contract/claims/claim-history.ts'
import { DEFAULT_LOCALE } from '#contract/locales.ts'
import { textsIn } from './catalogue.ts'

const { REJECTION_REASONS, ACCOUNT_REASONS: ACCOUNT_TEXTS } = textsIn(DEFAULT_LOCALE)

/** The English text of each reason for a rejection, as stored with the claim. Reviewers word `other`. */
export const rejectionReasons: Record<RejectionReason, string> = { ...REJECTION_REASONS, other: '' }

/** Why a claim ended with its account, in English, as stored with the claim. */
export const accountReasons: Record<(typeof ACCOUNT_REASONS)[number], string> = ACCOUNT_TEXTS
