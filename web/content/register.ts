/** Texts of the register screen; in a file that the other account screens do not load. */
export const REGISTER = {
  title: 'Create Account',
  lead: 'One account, one claim. All you need is a minute and a working email.',
  username: 'Username',
  usernameHint: '3 to 20 letters, digits, dots, dashes or underscores.',
  email: 'Email',
  emailHint: 'We’ll email you a 6-digit code.',
  password: 'Password',
  passwordHint: 'At least 8 characters. A short sentence works well.',
  referralCode: 'Referral Code (optional)',
  invitedBy: (username: string) => `You were invited by ${username}.`,
  announcements: 'Send me airdrop news, a few times a year. Optional.',
  /** Consent to rules and privacy; the texts around the links to both pages. */
  consent: {
    before: 'By creating an account, you accept the',
    rules: 'rules',
    between: 'and our',
    privacy: 'privacy policy and terms',
    after: '.',
  },
  button: 'Create Account',
  haveAccount: 'Already have an account?',
  login: 'Log in',
  done: 'Registration successful! Please verify your email.',
  failed: 'Registration failed',
} as const
