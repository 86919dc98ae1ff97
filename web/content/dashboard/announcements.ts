/** Texts of announcements, and of the page that unsubscribes from them. */
export const ANNOUNCEMENT_WORDS = {
  greeting: (username: string) => `Hello ${username},`,
  why: (campaign: string, operator: string) =>
    `You get this because you asked for announcements of ${campaign}. It was sent by ${operator}.`,
  unsubscribe: 'Unsubscribe from announcements',
} as const

export const UNSUBSCRIBE = {
  title: 'Unsubscribe from announcements',
  question: (campaign: string) => `Do you want no more announcements of ${campaign}?`,
  kept: 'Emails about your account and your claim still reach you.',
  button: 'Unsubscribe',
  done: 'You are unsubscribed',
  doneText: (campaign: string) =>
    `We won’t email you announcements of ${campaign} anymore. If you change your mind, you can ask for them again on your profile.`,
  broken: 'This link is not complete',
  brokenText: 'Open it again from the email, or log in and change it on your profile.',
  profile: 'Go to your profile',
} as const

/** The choice on the profile. */
export const PROFILE_ANNOUNCEMENTS = {
  label: 'Email me announcements, a few times a year. Every one has a link to unsubscribe.',
  failed: 'That was not saved. Please try again.',
} as const
