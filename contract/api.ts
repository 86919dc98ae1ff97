import * as accounts from './accounts.ts'
import * as campaign from './campaign.ts'
import * as claims from './claims.ts'
import type { Endpoint } from './protocol/endpoint.ts'
import * as journal from './journal.ts'
import * as leaderboard from './leaderboard.ts'
import * as market from './market.ts'
import * as payouts from './payouts.ts'
import * as referrals from './referrals.ts'
import * as review from './review.ts'
import * as sessions from './sessions.ts'
import * as slots from './slots.ts'
import * as telegram from './telegram.ts'
import * as wallets from './wallets.ts'
import * as tokenProofs from './token-proofs.ts'

/** Every endpoint of the API, in the order of the documentation. */
export const ENDPOINTS: readonly Endpoint[] = [
  accounts.register,
  accounts.verifyEmail,
  accounts.resendCode,
  sessions.login,
  sessions.logout,
  sessions.logoutAll,
  accounts.forgotPassword,
  accounts.verifyOtp,
  accounts.resetPassword,
  accounts.changePassword,
  accounts.profile,
  leaderboard.leaderboard,
  claims.submitProof,
  claims.ownClaim,
  claims.editClaim,
  claims.appeal,
  slots.joinWaitingList,
  slots.leaveWaitingList,
  telegram.beginTelegram,
  telegram.finishTelegram,
  telegram.disconnectTelegram,
  wallets.beginWallet,
  wallets.finishWallet,
  wallets.removeWallet,
  claims.listSubmissions,
  claims.approveClaim,
  review.reviewSummary,
  review.listClaims,
  review.reviewClaim,
  review.lockClaim,
  review.unlockClaim,
  review.rejectClaim,
  review.undoDecision,
  review.decideClaims,
  review.rejectCluster,
  campaign.campaign,
  referrals.referral,
  market.tokenPairs,
  tokenProofs.tokenProofs,
  journal.journal,
  journal.exportJournal,
  payouts.allocationSummary,
  payouts.allocation,
  payouts.ownPayout,
  payouts.payout,
  payouts.freezePayout,
  payouts.payoutPack,
  payouts.thawPayout,
  payouts.reconcilePayout,
  payouts.payoutRows,
  payouts.payoutLeftOut,
  payouts.payoutDrift,
]
