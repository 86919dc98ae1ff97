/** Texts of the profile and its actions. */
export const PROFILE = {
  title: 'My Profile',
  referralReward: 'Referral Reward',
  totalPoints: 'Total Points',
  referralCode: 'Referral Code',
  referralHint: 'Click to copy. You earn a reward when someone you invite is approved.',
  referralCopied: 'Referral code copied to clipboard!',
  copyInvite: 'Copy invitation link',
  inviteCopied: 'Copied!',
  shareInvite: 'Share invitation',
  username: 'Username',
  email: 'Email',
  rank: 'Leaderboard rank',
  invited: 'Invited and approved',
  taskStatus: 'Task Status',
  toAirdrop: 'Go to the airdrop',
  toLeaderboard: 'See the leaderboard',
  logout: 'Logout',
  logoutAll: 'Log out everywhere',
  loggedOut: 'Logged out successfully!',
  logoutFailed: 'Logout failed',
  loginFirst: 'Please login to access your profile.',
  /** Also shown when the airdrop cannot fetch the logged-in user. */
  fetchFailed: 'Failed to fetch profile. Please login again.',
  loading: 'Loading your profile',
} as const

export const CHANGE_PASSWORD = {
  title: 'Change password',
  current: 'Current Password',
  new: 'New Password',
  newHint: 'At least 8 characters. You’ll be logged out everywhere else.',
  button: 'Save',
  cancel: 'Cancel',
  done: 'Password changed successfully!',
  failed: 'Failed to change password',
} as const

/** Task Status, by state of the claim. */
export const TASK_STATUS = {
  notSubmitted: 'Not Submitted',
  submitted: 'Submitted',
  underReview: 'Under Review',
  approved: 'Approved',
} as const
