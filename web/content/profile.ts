/** The words of the profile and of what is done there. */
export const PROFILE = {
  title: 'My Profile',
  referralReward: 'Referral Reward',
  totalPoints: 'Total Points',
  referralCode: 'Referral Code',
  referralHint: 'Click to copy. Whoever registers with it and is approved earns you a reward.',
  referralCopied: 'Referral code copied to clipboard!',
  copyInvite: 'Copy invitation link',
  inviteCopied: 'Copied!',
  shareInvite: 'Share invitation',
  username: 'Username',
  email: 'Email',
  invited: 'Invited and approved',
  taskStatus: 'Task Status',
  wallet: 'Wallet Address',
  telegram: 'Telegram',
  twitter: 'Twitter',
  retweet: 'Retweet Link',
  toAirdrop: 'Go to the airdrop',
  toLeaderboard: 'See the leaderboard',
  logout: 'Logout',
  logoutAll: 'Sign out everywhere',
  loggedOut: 'Logged out successfully!',
  logoutFailed: 'Logout failed',
  loginFirst: 'Please login to access your profile.',
  /** Also told when the airdrop cannot fetch who is logged in. */
  fetchFailed: 'Failed to fetch profile. Please login again.',
  loading: 'Loading your profile',
} as const

export const CHANGE_PASSWORD = {
  title: 'Change password',
  current: 'Current Password',
  new: 'New Password',
  newHint: '8 characters or more. Every other session of your account ends.',
  button: 'Save',
  cancel: 'Cancel',
  done: 'Password changed successfully!',
  failed: 'Failed to change password',
} as const

/** What a claim's state is called. */
export const TASK_STATUS = {
  notSubmitted: 'Not Submitted',
  submitted: 'Submitted',
  underReview: 'Under Review',
  approved: 'Approved',
} as const
