/** The section of the profile about the account’s data. */
export const YOUR_DATA = {
  title: 'Your data',
  lead: 'Everything that this site stores about you, yours to take along or to delete.',
  privacy: 'What is stored, and what stays',
  download: 'Download your data',
  downloadTitle: 'Download your data',
  downloadLead: 'One JSON file with everything that is stored about you. Your password shows that it is you.',
  downloadNow: 'Download',
  downloadFailed: 'The download failed. Please try again.',
  password: 'Password',
  cancel: 'Cancel',
  remove: 'Delete your account',
  removeTitle: 'Delete your account',
  removeLead:
    'Your account, your claim’s proof and everything else personal is erased at once, and you are logged out everywhere. This cannot be undone.',
  removePoints: 'Your claim is approved. If you delete your account now, its points are never paid.',
  removeFrozen: (wallet: string) =>
    `The allocation is frozen: ${wallet} and its amounts are public already. They stay there, and the wallet is paid.`,
  removeName: 'Your username and email stay taken for 24 hours.',
  confirm: (name: string) => `Type ${name} to confirm`,
  removeNow: 'Delete for good',
  removeFailed: 'The account was not deleted.',
  removed: 'The account has been deleted.',
  offerTitle: 'You are asked to become an administrator',
  offerLead:
    'Administrators review claims and run the campaign. To accept, set a new password of at least 15 characters. You then leave the leaderboard and have to log in again.',
  offerAccept: 'Accept',
  offerDecline: 'Decline',
  offerFailed: 'Your answer was not saved.',
  current: 'Current Password',
  new: 'New Password',
  newHint: '15 characters or more. A sentence is best.',
} as const
