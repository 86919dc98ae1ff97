/** The words of an invitation where its link is shared. */
export const INVITATION = {
  title: (username: string, token: string) => `${username} invites you to ${token}`,
  headline: (username: string) => `${username} invites you`,
  foot: (host: string, code: string) => `${host} · ${code}`,
  /** Where the one who invites finds the picture. */
  picture: 'Your invitation as a picture',
  save: 'Save picture',
} as const
