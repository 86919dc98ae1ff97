/** Texts of the login’s step that asks for a code. */
export const SECOND_FACTOR = {
  title: 'One more step',
  lead: 'Enter the code from your authenticator app to finish logging in.',
  code: 'Code',
  hint: 'Six digits from the app, or one of your recovery codes.',
  button: 'Log in',
} as const

/** Texts of the dashboard’s section about the administrator’s own account. */
export const SECURITY = {
  title: 'Security',
  lead: 'This is about your own account.',
  loading: 'Loading',
  failed: 'We couldn’t load this.',
  again: 'Try again',
  notDone: 'That didn’t work. Please try again.',
  twoFactor: 'Two-factor login',
  what: 'With it, you log in with your password and a six-digit code from an authenticator app on your phone. Someone who learns your password still can’t get in.',
  required: 'This site requires it for administrators. Set it up to use the rest of the dashboard.',
  on: 'On',
  off: 'Off',
  left: (count: number) =>
    count === 1 ? 'You have 1 recovery code left.' : `You have ${count} recovery codes left.`,
  fewLeft: 'Turn two-factor login off and on again to get new ones.',
  setUp: 'Set up',
  turnOff: 'Turn off',
  turnOffTitle: 'Turn two-factor login off?',
  turnOffLead: 'After that, your password alone is enough to log in.',
  password: 'Your password',
  next: 'Next',
  cancel: 'Cancel',
  scan: 'Scan this with your authenticator app, or type in the secret. Then enter the code that the app shows.',
  qr: 'QR code of the secret',
  secret: 'Secret',
  code: 'Code',
  anyCode: 'Code or recovery code',
  confirm: 'Turn on',
  codesTitle: 'Your recovery codes',
  codes:
    'If you lose your phone, each code lets you log in once without the app. Keep the codes where only you can reach them. We won’t show them again.',
  copy: 'Copy all',
  copied: 'Copied!',
  done: 'I’ve saved them',
} as const

/** Texts of the list of sessions. */
export const SESSIONS = {
  title: 'Where you are logged in',
  unknown: 'Unknown program',
  from: (network: string) => `network ${network}`,
  started: 'Logged in',
  used: 'last used',
  current: 'This session',
  end: 'End',
  endOf: (device: string) => `the session of ${device}`,
  endOthers: 'End all others',
  failed: 'We couldn’t load your sessions.',
  again: 'Try again',
  notDone: 'That didn’t work. Please try again.',
} as const
