/** Texts of the first run, and of the checks that administrators repeat later. */
export const SETUP = {
  steps: { administrator: 'Administrator', checks: 'Test', campaign: 'Campaign', done: 'Done' },
  stepsLabel: 'Steps of the setup',
  next: 'Continue',
  back: 'Back',
} as const

export const SETUP_LINK = {
  title: 'Set up the campaign',
  lead: 'Only whoever runs the server can do this: it printed a link that opens this page.',
  where:
    'Look where the server was started, in the terminal or in the log of its service, for a line that ends in /setup#token=… and open that address. It works once, for 30 minutes.',
  another: 'For another link, run this on the server:',
  command: 'npm run admin -- link',
  copy: 'Copy',
  copied: 'Copied!',
  checking: 'Checking the link',
  refused: 'This link cannot be used',
  unchecked: 'The link could not be checked',
  again: 'Try again',
  hasAccount: 'Already an administrator?',
  login: 'Log in',
} as const

export const CREATE_ADMINISTRATOR = {
  title: 'Become administrator',
  lead: 'The first account of this campaign: it reviews claims, changes settings and invites others.',
  email: 'Email',
  emailHint: 'You log in with it, and messages to administrators go there.',
  username: 'Username',
  usernameHint: 'Participants never see it. 3 to 20 letters, digits, dots, dashes or underscores.',
  password: 'Password',
  passwordHint: 'At least 15 characters. A few random words are easy to remember.',
  button: 'Create administrator',
  failed: 'The account could not be created',
} as const

export const CHECKS = {
  title: 'Does everything work?',
  lead: 'The server looks at itself, at what it needs, and at how you reached it.',
  running: 'Checking',
  again: 'Check again',
  failed: 'The checks could not be run',
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
  mailLead: (email: string) => `It goes to ${email}, at once. What the mail server answers is shown here.`,
  send: 'Send a test email',
  sending: 'Sending',
  sendFailed: 'The test email could not be sent',
  summary: (wrong: number, untold: number) =>
    wrong === 0 && untold === 0
      ? 'All is well.'
      : wrong === 0
        ? `Nothing is wrong, but ${untold === 1 ? '1 check' : `${untold} checks`} could not tell.`
        : `${wrong === 1 ? '1 thing is' : `${wrong} things are`} wrong. You can go on, and fix ${wrong === 1 ? 'it' : 'them'} later.`,
} as const

export const SETUP_CAMPAIGN = {
  title: 'Make it yours',
  lead: 'How the campaign looks, and then what it says. Everything can be changed later, too.',
  settingsTitle: 'Token, links, tasks, slots, dates and texts',
  settingsText:
    'Change them under Settings, with a preview. The campaign that comes with the product is open already, so its opening stays and its slots can only become more. For others, download the settings as a campaign file when all else is right, change id, opening and slots in it, name it in CAMPAIGN_CONFIG, and restart.',
  settingsLink: 'Open the settings',
} as const

export const SETUP_DONE = {
  title: 'The campaign is set up',
  lead: 'What remains, in the order in which it matters.',
  site: {
    title: 'Share the address',
    text: 'This is where visitors come. Put it on your channels once the contract and the dates are right.',
    link: 'Open the site',
  },
  dashboard: {
    title: 'Review claims',
    text: 'The dashboard shows them as they come in. Keep its address; nothing on the site leads there.',
    link: 'Open the dashboard',
  },
  backup: {
    title: 'Have it backed up',
    text: 'Set BACKUP_DIR to a folder on another disk: the server then backs itself up every day. By hand, on the server:',
    command: 'npm run backup -- ../first.backup',
  },
  reviewers: {
    title: 'Invite a second administrator',
    text: 'Two can review at once, and one can help the other who has lost a password. They register like everybody; then open them under People and make them administrator.',
    link: 'Open the list of people',
  },
  doctor: {
    title: 'Look after it',
    text: 'When something seems wrong, this says in words what it is and what to do:',
    command: 'npm run doctor',
  },
} as const
