/** Texts of an invitation's link preview and picture. */
export const INVITATION = {
  title: (username: string, token: string) => `${username} invites you to ${token}`,
  headline: (username: string) => `${username} invites you`,
  foot: (host: string, code: string) => `${host} · ${code}`,
  /** Alternative text of the picture on the referrer's profile. */
  picture: 'Your invitation as a picture',
  save: 'Save picture',
} as const
