import { DEFAULT_LOCALE, intlTag, type Locale } from '#contract/locales.ts'
import { count } from '#server/platform/count.ts'
import { type Texts, textsIn } from '../messages/catalogue.ts'
import { inWords, type Line } from './finding.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A length of time for people: `3 hours`. The unit is as large as possible with a count of two or more. */
function span(seconds: number, locale: Locale = DEFAULT_LOCALE): string {
  const units = [
    ['day', DAY],
    ['hour', HOUR],
    ['minute', MINUTE],
  ] as const
  const [unit, length] = units.find(([, unitLength]) => seconds >= 2 * unitLength) ?? (['second', 1] as const)
  const format = new Intl.NumberFormat(intlTag(locale), { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(Math.round(seconds / length))
}

export const durationOf =
  (seconds: number): Line =>
  (locale) =>
    span(seconds, locale)

export const listOf =
  (list: readonly string[]): Line =>
  (locale) =>
    new Intl.ListFormat(intlTag(locale)).format(list)

type Deployment = Texts['DEPLOYMENT']
/** The values of a message. A value may be a line, which then gets the message's language. */
type ValuesOf<Message> = Message extends (values: infer Values) => string
  ? [values: { [Name in keyof Values]: Values[Name] | Line }]
  : []

/**
 * Returns a function that makes lines from the messages of one group of DEPLOYMENT. The dashboard shows
 * these, too, in every language. WORDS are only for the terminal, in English.
 */
export const linesOf =
  <Group extends keyof Deployment>(group: Group) =>
  <Key extends keyof Deployment[Group]>(key: Key, ...[values]: ValuesOf<Deployment[Group][Key]>): Line =>
  (locale) => {
    const message = textsIn(locale).DEPLOYMENT[group][key] as string | ((values: object) => string)
    if (typeof message === 'string') return message
    const worded = Object.entries<unknown>(values ?? {}).map(([name, value]) => [
      name,
      typeof value === 'function' ? inWords(value as Line, locale) : value,
    ])
    return message(Object.fromEntries(worded))
  }

function listUpTo(list: readonly string[], max = 3): string {
  const shown = list.slice(0, max).join(', ')
  return list.length > max ? `${shown} and ${list.length - max} more` : shown
}

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`

/** The texts of `doctor` that are not in the catalogue. A problem says what is wrong, then what to do. */
export const WORDS = {
  outcomes: { fine: 'fine', could_not_tell: 'could not tell', wrong: 'wrong' },
  remark: 'note',
  summary: (problems: number, inconclusive: number) =>
    (problems === 0 ? 'No problems found' : `${count(problems, 'problem')} to fix`) +
    (inconclusive === 0 ? '.' : `; ${count(inconclusive, 'check')} could not tell.`),

  unusable: (names: readonly string[]) => `${names.join(', ')} cannot be used (see environment).`,
  noDatabase: 'The database cannot be used (see database).',
  noDatabaseYet: 'There is no database in DATA_DIR yet: the first npm start creates it.',
  emptyDatabase: 'The database is empty: the first npm start sets it up.',
  noCampaign: 'The campaign file cannot be used (see campaign file).',

  environment: {
    fine: 'Every variable is valid.',
    notProduction: 'NODE_ENV is not production: set NODE_ENV=production for a public site.',
  },
  campaign: {
    fine: (id: string, file: string) => `${file} describes ${id}.`,
    placeholder: 'token.placeholder is true: every page says that the contract is a placeholder.',
    closed: (closesAt: string) => `airdrop.closesAt has passed (${closesAt}): no one can claim.`,
    notOpen: (opensAt: string) =>
      `airdrop.opensAt is in the future (${opensAt}): no one can claim until then.`,
    noPayout: 'payout is missing: set its rates before you pay out.',
    lacking: (locale: string, paths: readonly string[]) =>
      `${count(paths.length, 'text')} not given in ${locale}, so its readers get English: ${listUpTo(paths)}.`,
  },
  database: {
    fine: (version: string, schema: string) =>
      `PostgreSQL ${version} responds; its schema is up to date (${schema}).`,
    tooOld: (version: string) => `This is PostgreSQL ${version}, but 15 or newer is required: upgrade it.`,
    pending: (names: readonly string[]) =>
      `${count(names.length, 'migration')} not applied (${names[0]}${names.length > 1 ? ` to ${names.at(-1)}` : ''}): back up, then start this version, which applies them.`,
    unreadable: (message: string) => `${message[0]?.toUpperCase()}${message.slice(1)}`,
    missingRights: (role: string, tables: readonly string[]) =>
      `The role ${role} lacks rights on ${tables.join(', ')}: start the program with DATABASE_OWNER_URL set to grant them.`,
    tooManyRights: (role: string, tables: readonly string[]) =>
      `The role ${role} can change ${tables.join(', ')}, which must be append-only: serve with a role that neither owns them nor belongs to a role that can change them (see Two roles).`,
    oneRole:
      'The role that serves also owns the tables: set DATABASE_OWNER_URL and serve with a separate role (see Two roles).',
  },
  administrators: {
    fine: (active: number) => `${count(active, 'administrator')}.`,
    none: 'There is no administrator yet: run npm run admin -- link and open the link it prints to create the first one.',
    allBanned: 'Every administrator is banned: run npm run admin -- create to make another one.',
    linkOpen: (until: string) =>
      `There is no administrator yet, but a setup link is valid until ${until}: open the last one printed, or run npm run admin -- link for another.`,
  },
  journal: {
    fine: (entries: number, heads: number) =>
      `The journal is valid: ${count(entries, 'entry', 'entries')}, ${count(heads, 'published head')}.`,
    broken: (line: number, why: string) =>
      `The journal is not valid at line ${line}: ${why}. Leave the database as it is and compare it with a backup.`,
    otherHead: (day: string) =>
      `The head published on ${day} is not in the journal: it was rewritten, or restored from an older backup. Tell your community which.`,
  },
  disk: {
    fine: (folders: readonly (readonly [string, number])[]) =>
      `${folders.map(([name, bytes]) => `${name} is writable, ${gigabytes(bytes)} free`).join('; ')}.`,
    notWritable: (name: string, folder: string, reason: string) =>
      `${name} ${folder} is not writable (${reason}): give this account write access, or set ${name} to another folder.`,
    notFolder: (name: string, folder: string) =>
      `${name} ${folder} is a file, or in one: set ${name} to a folder.`,
    full: (name: string, folder: string, bytes: number) =>
      `The disk of ${name} ${folder} has ${gigabytes(bytes)} left: free up space, or move it to a larger disk.`,
    notCreated: (name: string, folder: string) =>
      `${name} ${folder} does not exist yet: the first npm start creates it.`,
    low: (name: string, bytes: number) => `The disk of ${name} has only ${gigabytes(bytes)} left.`,
  },
  backups: {
    fine: (ageSeconds: number, file: string) => `The last one is ${span(ageSeconds)} old: ${file}`,
    noneMade: 'No backup has been made yet.',
    notScheduled: 'None are scheduled: set BACKUP_DIR=/path/on/another/disk',
    howOften: 'and BACKUP_EVERY_HOURS=24 (the default)',
    notRecorded: 'The database does not record backups yet (see database).',
    tooOld: (ageSeconds: number, everyHours: number) =>
      `The last one is ${span(ageSeconds)} old, but one is due every ${count(everyHours, 'hour')}: see the log for the reason, or run npm run backup -- FILE.`,
    neverSucceeded: (everyHours: number) =>
      `There is none, although one is due every ${count(everyHours, 'hour')}: see the log for the reason, or run npm run backup -- FILE.`,
    lastFailed: (error: string) => `The last attempt failed: ${error}`,
    rehearsed: (ageSeconds: number) => `Last rehearsed ${span(ageSeconds)} ago.`,
    neverRehearsed: 'Never rehearsed: run npm run restore -- --rehearse FILE to test a backup.',
    rehearsalFailed: (error: string) =>
      `The last rehearsal failed: ${error} Make a new backup and rehearse that one.`,
  },
  mailQueue: {
    fine: (waiting: number) =>
      waiting === 0 ? 'No emails are waiting.' : `${count(waiting, 'email')} waiting, none for long.`,
    stuck: (waiting: number, oldestSeconds: number, error: string | null) =>
      `${count(waiting, 'email')} waiting, the oldest for ${span(oldestSeconds)}${error ? ` (${error})` : ''}: fix what the mail server check says above; if it is fine, start the program.`,
    refused: (emails: number, error: string | null) =>
      `The mail server has refused the last ${count(emails, 'email')}${error ? ` (${error})` : ''}: fix what its answer says, then resend them under Mail in the dashboard.`,
    givenUp: (dead: number, error: string | null) =>
      `${count(dead, 'email')} given up on in the last day${error ? `; the latest error: ${error}` : ''}`,
  },
  publicAddress: {
    fine: (url: string) => `${url} reaches the program.`,
    notRunning: (url: string) => `Nothing answers at ${url}, and the program is not running on this machine.`,
    unreachable: (url: string, reason: string) =>
      `${url} cannot be reached from here (${reason}), although the program is running: try it from another network.`,
    explained: (url: string, why: string) => `${url} cannot be reached from here: ${why}`,
    explainedRunning: (url: string, why: string) =>
      `${url} cannot be reached from here, although the program is running: ${why} Try it from another network, too.`,
    tls: (url: string, reason: string) => `${url} has no valid certificate (${reason}): renew or correct it.`,
    proxyFails: (url: string, status: number) =>
      `${url} answers ${status}, although the program is running: point the proxy to its HOST and PORT.`,
    otherHost: (url: string) =>
      `${url} answers 400: make the proxy pass on the Host header, or correct PUBLIC_URL.`,
    redirects: (url: string, status: number) =>
      `${url} answers ${status}, a redirect: set PUBLIC_URL to the address where visitors end up.`,
    notOurs: (url: string) => `Something else answers at ${url}: correct PUBLIC_URL, or the proxy.`,
    noForwarding: (url: string) =>
      `Anyone can read ${url}/metrics because the proxy does not pass on visitors’ addresses: make it set X-Forwarded-For.`,
    forwards: 'The proxy passes on visitors’ addresses.',
    unseen: 'Whether the proxy passes on visitors’ addresses (X-Forwarded-For) cannot be checked from here.',
  },
}
