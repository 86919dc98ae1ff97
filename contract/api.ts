import * as accounts from './accounts/accounts.ts'
import * as alerts from './dashboard/alerts.ts'
import * as allocation from './allocation.ts'
import * as announcements from './dashboard/announcements.ts'
import * as campaign from './campaign.ts'
import * as campaignLife from './dashboard/campaign-life.ts'
import * as campaigns from './campaigns.ts'
import * as claims from './claims/claims.ts'
import * as deployment from './dashboard/deployment.ts'
import * as insights from './dashboard/insights.ts'
import type { Endpoint } from './protocol/endpoint.ts'
import * as journal from './journal.ts'
import * as leaderboard from './leaderboard.ts'
import * as mail from './dashboard/mail.ts'
import * as market from './market.ts'
import * as payouts from './dashboard/payouts.ts'
import * as pictures from './dashboard/pictures.ts'
import * as ownAccount from './accounts/own-account.ts'
import * as people from './dashboard/people.ts'
import * as person from './dashboard/person.ts'
import * as referrals from './referrals.ts'
import * as review from './dashboard/review.ts'
import * as sessions from './accounts/sessions.ts'
import * as settings from './dashboard/settings.ts'
import * as setup from './accounts/setup.ts'
import * as slots from './claims/slots.ts'
import * as telegram from './accounts/telegram.ts'
import * as wallets from './accounts/wallets.ts'
import * as webhooks from './dashboard/webhooks.ts'
import * as ownSessions from './accounts/own-sessions.ts'
import * as twoFactor from './accounts/two-factor.ts'
import * as tokenProofs from './token-proofs.ts'

/** Every endpoint of the API, in the order of the documentation. */
export const ENDPOINTS: readonly Endpoint[] = [
  accounts.register,
  accounts.verifyEmail,
  accounts.resendCode,
  sessions.login,
  sessions.logout,
  sessions.logoutAll,
  ownAccount.chooseLocale,
  ownSessions.listSessions,
  ownSessions.endOneSession,
  ownSessions.endOtherSessions,
  twoFactor.twoFactor,
  twoFactor.beginTwoFactor,
  twoFactor.confirmTwoFactor,
  twoFactor.endTwoFactor,
  twoFactor.renewRecoveryCodes,
  accounts.forgotPassword,
  accounts.verifyOtp,
  accounts.resetPassword,
  accounts.changePassword,
  accounts.profile,
  ownAccount.ownAccount,
  ownAccount.exportOwnData,
  ownAccount.deleteOwnAccount,
  ownAccount.answerRoleOffer,
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
  claims.listClaimants,
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
  setup.checkSetupLink,
  setup.setUp,
  deployment.examineDeployment,
  deployment.sendTestMail,
  deployment.deploymentEnvironment,
  pictures.uploadPicture,
  people.listPeople,
  people.exportPeople,
  person.person,
  person.banPerson,
  person.unbanPerson,
  person.changeRole,
  person.exportPerson,
  person.deletePerson,
  campaign.campaign,
  campaigns.campaigns,
  campaigns.campaignRecord,
  campaigns.campaignLeaderboard,
  campaigns.ownCampaigns,
  campaignLife.campaignLife,
  campaignLife.pauseCampaign,
  campaignLife.resumeCampaign,
  campaignLife.extendCampaign,
  campaignLife.addSlots,
  campaignLife.closeCampaign,
  campaignLife.archiveCampaign,
  referrals.referral,
  market.tokenPairs,
  tokenProofs.tokenProofs,
  journal.journal,
  journal.exportJournal,
  insights.insights,
  insights.insightsFile,
  allocation.allocationSummary,
  allocation.allocation,
  allocation.ownPayout,
  payouts.payout,
  payouts.freezePayout,
  payouts.payoutPack,
  payouts.thawPayout,
  payouts.reconcilePayout,
  payouts.payoutRows,
  payouts.payoutLeftOut,
  payouts.payoutDrift,
  webhooks.listWebhooks,
  webhooks.addWebhook,
  webhooks.changeWebhook,
  webhooks.removeWebhook,
  webhooks.testWebhook,
  webhooks.listDeliveries,
  webhooks.replayDelivery,
  settings.settings,
  settings.changeSettings,
  settings.previewSettings,
  settings.exportSettings,
  announcements.announcementConsent,
  announcements.setAnnouncementConsent,
  announcements.listAnnouncements,
  announcements.createAnnouncement,
  announcements.changeAnnouncement,
  announcements.deleteAnnouncement,
  announcements.previewAnnouncement,
  announcements.testAnnouncement,
  announcements.sendAnnouncement,
  announcements.stopAnnouncement,
  mail.mailSummary,
  mail.listMail,
  mail.resendMail,
  mail.resendFailedMail,
  mail.mailSender,
  mail.listSuppressions,
  mail.addSuppression,
  mail.removeSuppression,
  mail.mailFlow,
  alerts.alerts,
]
