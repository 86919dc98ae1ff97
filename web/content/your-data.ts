/** The section of the profile about the account’s data. */
export const YOUR_DATA = {
  title: 'Your data',
  lead: 'Download or delete everything this site stores about you.',
  privacy: 'What we store, and what remains after you delete your account',
  download: 'Download your data',
  downloadTitle: 'Download your data',
  downloadLead:
    'You get one JSON file with everything we store about you. Enter your password to confirm that it’s you.',
  downloadNow: 'Download',
  downloadFailed: 'The download failed. Please try again.',
  password: 'Password',
  cancel: 'Cancel',
  remove: 'Delete your account',
  removeTitle: 'Delete your account',
  removeLead:
    'This immediately erases your account, your claim’s proof and all other personal data, and logs you out everywhere. It can’t be undone.',
  removePoints: 'Your claim is approved. If you delete your account now, its points will never be paid.',
  removeFrozen: (wallet: string) =>
    `The allocation is frozen: ${wallet} and its amounts are already public. They stay public, and the wallet will be paid.`,
  removeName: 'No one can register with your username or email for 24 hours.',
  confirm: (name: string) => `Type ${name} to confirm`,
  removeNow: 'Delete permanently',
  removeFailed: 'We couldn’t delete your account. Please try again.',
  removed: 'Your account has been deleted.',
  offerTitle: 'You’ve been invited to become an administrator',
  offerLead:
    'Administrators review claims and run the campaign. To accept, set a new password of at least 15 characters. You’ll leave the leaderboard and have to log in again.',
  offerAccept: 'Accept',
  offerDecline: 'Decline',
  offerFailed: 'We couldn’t save your answer. Please try again.',
  current: 'Current Password',
  new: 'New Password',
  newHint: 'At least 15 characters. A sentence works well.',
} as const
