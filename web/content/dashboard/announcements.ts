/** Texts of announcements, and of the page that unsubscribes from them. */
export const ANNOUNCEMENT_WORDS = {
  greeting: (username: string) => `Hello ${username},`,
  why: (campaign: string, operator: string) =>
    `You’re getting this email because you asked for announcements about ${campaign}. It was sent by ${operator}.`,
  unsubscribe: 'Unsubscribe from announcements',
} as const

export const UNSUBSCRIBE = {
  title: 'Unsubscribe from announcements',
  question: (campaign: string) => `Do you want to stop getting announcements about ${campaign}?`,
  kept: 'You’ll still get emails about your account and your claim.',
  button: 'Unsubscribe',
  done: 'You’re unsubscribed',
  doneText: (campaign: string) =>
    `We won’t email you announcements about ${campaign} anymore. If you change your mind, turn them on again on your profile.`,
  broken: 'This link is incomplete',
  brokenText: 'Open it from the email again, or log in and turn off announcements on your profile.',
  profile: 'Go to your profile',
} as const

/** The choice on the profile. */
export const PROFILE_ANNOUNCEMENTS = {
  label: 'Email me announcements, a few times a year. Each one has a link to unsubscribe.',
  failed: 'We couldn’t save that. Please try again.',
} as const
