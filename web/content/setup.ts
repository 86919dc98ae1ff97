/** Texts of the first run, and of the checks that administrators repeat later. */
export const SETUP = {
  steps: { administrator: 'Administrator', checks: 'Test', campaign: 'Campaign', done: 'Done' },
  stepsLabel: 'Steps of the setup',
  next: 'Continue',
  back: 'Back',
} as const

export const SETUP_LINK = {
  title: 'Set up the campaign',
  lead: 'Only the person who runs the server can do this. When it started, it printed a link that opens this page.',
  where:
    'In the terminal where the server was started, or in its service log, find the line that ends in /setup#token=… and open that address. It works once and is valid for 30 minutes.',
  another: 'To get another link, run this on the server:',
  command: 'npm run admin -- link',
  copy: 'Copy',
  copied: 'Copied!',
  checking: 'Checking the link',
  refused: 'This link can’t be used',
  unchecked: 'We couldn’t check the link',
  again: 'Try again',
  hasAccount: 'Already an administrator?',
  login: 'Log in',
} as const

export const CREATE_ADMINISTRATOR = {
  title: 'Create your administrator account',
  lead: 'This is the campaign’s first account. With it, you review claims, change settings and invite other administrators.',
  email: 'Email',
  emailHint: 'You’ll log in with it and get emails for administrators there.',
  username: 'Username',
  usernameHint: 'Participants never see it. 3 to 20 letters, digits, dots, dashes or underscores.',
  password: 'Password',
  passwordHint: 'At least 15 characters. A few random words are easy to remember.',
  button: 'Create administrator',
  failed: 'We couldn’t create the account',
} as const

export const CHECKS = {
  title: 'Does everything work?',
  lead: 'The server checks itself, the services it needs, and how your browser reaches it.',
  running: 'Checking',
  again: 'Check again',
  failed: 'We couldn’t run the checks',
  outcomes: { fine: 'Fine', wrong: 'Wrong', could_not_tell: 'Could not tell' },
  remark: 'Note:',
  /** By the server's name of the check. */
  names: {
    'your request': 'Address and proxy',
    'your clock': 'Your clock',
    clock: 'Server clock',
    chain: 'Chain',
    price: 'Price service',
    'mail server': 'Mail server',
    sender: 'Sender’s domain',
    'test mail': 'Test email',
  } as Readonly<Record<string, string>>,
  mailTitle: 'Send yourself an email',
  mailLead: (email: string) => `We’ll send it to ${email} right away and show the mail server’s answer here.`,
  send: 'Send a test email',
  sending: 'Sending',
  sendFailed: 'We couldn’t send the test email',
  summary: (wrong: number, untold: number) =>
    wrong === 0 && untold === 0
      ? 'Everything works.'
      : wrong === 0
        ? `No problems found, but ${untold === 1 ? '1 check was' : `${untold} checks were`} inconclusive.`
        : `${wrong === 1 ? '1 check' : `${wrong} checks`} found a problem. You can continue and fix ${wrong === 1 ? 'it' : 'them'} later.`,
} as const

export const SETUP_CAMPAIGN = {
  title: 'Make it yours',
  lead: 'Choose how the campaign looks, and then what it says. You can change everything later.',
  settingsTitle: 'Token, links, tasks, slots, dates and texts',
  settingsText:
    'Change them under Settings, with a preview. The built-in campaign is already open, so you can’t change when it opens, and you can only add slots. To choose these yourself, finish the other settings first and download them as a campaign file. Change its id, opening and slots, set CAMPAIGN_CONFIG to the file, and restart the server.',
  settingsLink: 'Open the settings',
} as const

export const SETUP_DONE = {
  title: 'Your campaign is set up',
  lead: 'What to do next, most important first.',
  site: {
    title: 'Share the address',
    text: 'This is your public site. Share it on your channels once the contract and the dates are right.',
    link: 'Open the site',
  },
  dashboard: {
    title: 'Review claims',
    text: 'The dashboard shows claims as they come in. Bookmark it: no page of the site links to it.',
    link: 'Open the dashboard',
  },
  backup: {
    title: 'Set up backups',
    text: 'Set BACKUP_DIR to a folder on another disk, and the server backs itself up every day. To make a backup by hand, run this on the server:',
    command: 'npm run backup -- ../first.backup',
  },
  reviewers: {
    title: 'Invite a second administrator',
    text: 'Two people can review at once, and one can help if the other loses a password. Ask them to register like everyone else. Then find them under People and invite them.',
    link: 'Open the list of people',
  },
  doctor: {
    title: 'If something seems wrong',
    text: 'Run this on the server to see what is wrong and what to do about it:',
    command: 'npm run doctor',
  },
} as const
