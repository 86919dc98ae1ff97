import * as accounts from './accounts.ts'
import * as campaign from './campaign.ts'
import type { Endpoint } from './endpoint.ts'
import * as journal from './journal.ts'
import * as leaderboard from './leaderboard.ts'
import * as market from './market.ts'
import * as referrals from './referrals.ts'
import * as review from './review.ts'
import * as sessions from './sessions.ts'
import * as slots from './slots.ts'
import * as tasks from './claims.ts'
import * as telegram from './telegram.ts'

/** Every endpoint of the API, in the order in which the documentation shows them. */
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
  tasks.submitProof,
  tasks.ownClaim,
  tasks.editClaim,
  tasks.appeal,
  slots.joinWaitingList,
  slots.leaveWaitingList,
  telegram.beginTelegram,
  telegram.finishTelegram,
  telegram.disconnectTelegram,
  tasks.listSubmissions,
  tasks.approveClaim,
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
  journal.journal,
  journal.exportJournal,
]
