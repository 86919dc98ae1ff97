const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A length of time for people: `3 hours`. */
function span(seconds: number): string {
  const [unit, length] =
    seconds >= 2 * DAY
      ? (['days', DAY] as const)
      : seconds >= 2 * HOUR
        ? (['hours', HOUR] as const)
        : seconds >= 2 * MINUTE
          ? (['minutes', MINUTE] as const)
          : (['seconds', 1] as const)
  return `${Math.round(seconds / length)} ${unit}`
}

const count = (number: number, one: string, many = `${one}s`) => `${number} ${number === 1 ? one : many}`

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`

/** Every text of `doctor`. A problem says what is wrong, then what to do. */
export const WORDS = {
  outcomes: { fine: 'fine', could_not_tell: 'could not tell', wrong: 'wrong' },
  remark: 'note',
  summary: (problems: number, untold: number) =>
    (problems === 0 ? 'No problems found' : `${count(problems, 'problem')} to fix`) +
    (untold === 0 ? '.' : `; ${count(untold, 'check')} could not tell.`),

  unusable: (names: readonly string[]) => `${names.join(', ')} cannot be used (see environment).`,
  tookTooLong: (seconds: number) => `It took longer than ${seconds} s.`,
  failed: (message: string) => `The check failed: ${message.split('\n')[0]}`,
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
    closed: (at: string) => `airdrop.closesAt has passed (${at}): no one can claim.`,
    notOpen: (at: string) => `airdrop.opensAt is in the future (${at}): no one can claim until then.`,
    noPayout: 'payout is missing: set its rates before you pay out.',
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
    fine: (number: number) => `${count(number, 'administrator')}.`,
    none: 'There is no administrator yet: run npm run admin -- link and open the link it prints to create the first one.',
    linkOpen: (until: string) =>
      `There is no administrator yet, but a setup link is valid until ${until}: open the last one printed, or run npm run admin -- link for another.`,
  },
  journal: {
    fine: (entries: number, heads: number) =>
      `The journal is valid: ${count(entries, 'entry', 'entries')}, ${count(heads, 'published head')}.`,
    broken: (line: number, why: string) =>
      `The journal is not valid: entry ${line}, ${why}. Leave the database as it is and compare it with a backup.`,
    otherHead: (day: string) =>
      `The head published on ${day} is not in the journal: it was rewritten, or restored from an older backup. Tell your community which.`,
  },
  disk: {
    fine: (folders: readonly (readonly [string, number])[]) =>
      `${folders.map(([name, bytes]) => `${name} is writable, ${gigabytes(bytes)} free`).join('; ')}.`,
    notWritable: (name: string, folder: string, reason: string) =>
      `${name} ${folder} is not writable (${reason}): give this account write access, or set ${name} to another folder.`,
    full: (name: string, folder: string, bytes: number) =>
      `The disk of ${name} ${folder} has ${gigabytes(bytes)} left: free up space, or move it to a larger disk.`,
    notMade: (name: string, folder: string) =>
      `${name} ${folder} does not exist yet: the first npm start creates it.`,
    low: (name: string, bytes: number) => `The disk of ${name} has only ${gigabytes(bytes)} left.`,
  },
  backups: {
    fine: (age: number, file: string) => `The last one is ${span(age)} old: ${file}`,
    noneMade: 'No backup has been made yet.',
    notScheduled: 'None are scheduled: set BACKUP_DIR=/path/on/another/disk',
    howOften: 'and BACKUP_EVERY_HOURS=24 (the default)',
    notNoted: 'The database does not record backups yet (see database).',
    tooOld: (age: number, hours: number) =>
      `The last one is ${span(age)} old, but one is due every ${count(hours, 'hour')}: see the log for the reason, or run npm run backup -- FILE.`,
    overdue: (hours: number) =>
      `There is none, although one is due every ${count(hours, 'hour')}: see the log for the reason, or run npm run backup -- FILE.`,
    lastFailed: (error: string) => `The last attempt failed: ${error}`,
    rehearsed: (age: number) => `Last rehearsed ${span(age)} ago.`,
    neverRehearsed: 'Never rehearsed: run npm run restore -- --rehearse FILE to test a backup.',
    rehearsalFailed: (error: string) =>
      `The last rehearsal failed: ${error} Make a new backup and rehearse that one.`,
  },
  mailServer: {
    fine: (host: string, hasTls: boolean) =>
      `${host} responds${hasTls ? ' over TLS' : ''} and accepts emails.`,
    none: 'SMTP_URL is not set: emails go to the development mailbox.',
    login: (answer: string) => `It refuses the login (${answer}): correct the user and password in SMTP_URL.`,
    tls: (answer: string) =>
      `It offers no usable TLS (${answer}): use a server with STARTTLS or smtps://, or add ?requireTLS=false if it is on your own network.`,
    unreachable: (host: string, answer: string) =>
      `${host} does not respond (${answer}): correct the host and port in SMTP_URL, or open the firewall for them.`,
    explained: (why: string) => `No email can be sent: ${why}`,
    noNameServer: (host: string, answer: string) => `${host} could not be looked up (${answer}).`,
  },
  sender: {
    fine: (domain: string, records: readonly string[]) =>
      `${domain} has ${records.slice(0, -1).join(', ')} and ${records.at(-1)}.`,
    dkim: 'DKIM cannot be checked from here: set DKIM_SELECTOR to the s= value in the DKIM-Signature of an email that arrived.',
    dkimProblem: (domain: string, reason: string) =>
      reason === 'missing'
        ? `${domain} has no DKIM key under DKIM_SELECTOR: publish the record your mail provider gives you, or correct the selector.`
        : reason === 'revoked'
          ? `The DKIM key of ${domain} is revoked (p= is empty): publish the one your mail server signs with.`
          : reason === 'short'
            ? `The DKIM key of ${domain} is shorter than 1024 bits: ask your mail provider for a new one.`
            : `The DKIM key of ${domain} cannot be read: publish it again exactly as your mail provider gives it.`,
    notPublic: (domain: string) => `MAIL_FROM is at ${domain}, which is not a public domain.`,
    noAnswer: (domain: string, code: string) => `The records of ${domain} could not be looked up (${code}).`,
    explained: (domain: string, why: string) => `The records of ${domain} could not be looked up: ${why}`,
    noSpf: (domain: string, record?: string) =>
      `${domain} has no SPF record: add ${record === undefined ? 'the TXT record your mail provider gives you, such as "v=spf1 include:… -all"' : `the TXT record "${record}"`}.`,
    severalSpf: (domain: string) =>
      `${domain} has several SPF records, so none of them counts: merge them into one.`,
    openSpf: (domain: string) =>
      `The SPF record of ${domain} ends in +all, which lets anyone send in your name: end it in -all.`,
    noDmarc: (domain: string) =>
      `${domain} has no DMARC record: add a TXT record at _dmarc.${domain}, such as "v=DMARC1; p=quarantine".`,
    severalDmarc: (domain: string) =>
      `${domain} has several DMARC records, so none of them counts: keep one.`,
    noPolicy: 'Its DMARC policy is none: forged emails are delivered.',
  },
  mailQueue: {
    fine: (waiting: number) =>
      waiting === 0 ? 'No emails are waiting.' : `${count(waiting, 'email')} waiting, none for long.`,
    stuck: (waiting: number, age: number, error: string | null) =>
      `${count(waiting, 'email')} waiting, the oldest for ${span(age)}${error ? ` (${error})` : ''}: fix what the mail server check says above; if it is fine, start the program.`,
    given: (dead: number, error: string | null) =>
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
  clock: {
    fine: (compared: string) => `This machine’s clock agrees with ${compared}.`,
    database: 'the database’s',
    chain: 'the chain’s',
    alone: 'Neither the database nor the chain could tell the time.',
    apart: (seconds: number) =>
      `The clocks of this machine and of the database differ by ${span(seconds)}: run an NTP client on both.`,
    behind: (seconds: number) =>
      `The chain’s newest block is ${span(seconds)} ahead of this machine’s clock: run an NTP client.`,
  },
  arrival: {
    fine: (client: string, origin: string) => `You reached ${origin} from ${client}.`,
    otherOrigin: (origin: string, publicUrl: string) =>
      `You opened ${origin}, but PUBLIC_URL is ${publicUrl}, where emails and link previews point: set PUBLIC_URL=${origin}, or open the site at ${publicUrl}.`,
    ignored: (peer: string, network: string) =>
      `A proxy at ${peer} passes on the visitor’s address (X-Forwarded-For), but TRUST_PROXY is not set, so all visitors count as one: set TRUST_PROXY=${network}.`,
    untrusted: (peer: string, trusted: string) =>
      `TRUST_PROXY=${trusted} does not include the proxy at ${peer}, so all visitors count as one: add ${peer} to it.`,
    otherHeader: (names: string, network: string) =>
      `The proxy passes on the visitor’s address in ${names}, which is not read, so all visitors count as one: make it set X-Forwarded-For, and set TRUST_PROXY=${network}.`,
    unnamed: (peer: string, network: string) =>
      `PUBLIC_URL is https, so there must be a proxy, but ${peer} does not pass on the visitor’s address, so all visitors count as one: make it set X-Forwarded-For, and set TRUST_PROXY=${network}.`,
    privateClient: (client: string) =>
      `You appear to come from ${client}, a private address. That is right only if you are on the server’s own network.`,
    plainHttp: 'The proxy says that you used plain http (X-Forwarded-Proto): make it redirect http to https.',
  },
  browserClock: {
    fine: 'Your device’s clock agrees with this machine’s.',
    apart: (seconds: number) =>
      `The clocks of your device and of this machine differ by ${span(seconds)}: if the clock check is fine, your device’s clock is wrong, and so are the countdowns it shows.`,
  },
  testMail: {
    taken: (host: string, answer: string) =>
      `${host} accepted the email and answered: ${answer}. Now check your inbox and your spam folder.`,
    mailbox: (url: string) => `SMTP_URL is not set: the email is in the development mailbox, ${url}.`,
    sender: (answer: string) =>
      `It refuses the sender (${answer}): set MAIL_FROM to an address this mail account is allowed to send from.`,
    recipient: (answer: string) => `It refuses your address (${answer}): correct the email of your account.`,
    message: (answer: string) => `It refuses the email itself (${answer}): ask your mail provider why.`,
  },
  chain: {
    fine: (block: number, { name, id, age }: { name: string; id: number; age: number }) =>
      `The node is on ${name} (${id}), at block ${block}, which is ${span(Math.max(0, age))} old.`,
    failed: (reason: string) => `The node ${reason}: correct CHAIN_RPC_URL, or choose another node.`,
    unreachable: (why: string) => `The node cannot be reached: ${why}`,
    limited: (status: number) =>
      `The node answered ${status}: it is busy or limits how often it can be asked.`,
    oddId: (id: string) => `The node gave ${id} instead of a chain ID.`,
    otherChain: (found: number, wanted: number) =>
      `The node is on chain ${found}, but the campaign is on ${wanted}: correct CHAIN_RPC_URL.`,
    noBlock: 'The node gave its chain ID, but not its newest block.',
    old: (seconds: number) =>
      `The node’s newest block is ${span(seconds)} old: choose another node; if the clock check is not fine, fix the clock first.`,
    noBatch: 'The node does not accept batches, so a token check makes more requests.',
    noSimulation: 'The node cannot simulate trades (eth_simulateV1), so taxes cannot be proven.',
  },
  price: {
    fine: (pairs: number) => `The price service answers with ${count(pairs, 'pair')}.`,
    noPair: 'It has no pair for this token, so pages show no price from it.',
    busy: (reason: string) => `The price service ${reason}.`,
    unreachable: (why: string) =>
      `The price service cannot be reached: ${why} Until then the price comes from the token’s pools.`,
    failed: (reason: string) =>
      `The price service ${reason}: correct PRICE_API_URL. Meanwhile the price comes from the token’s pools.`,
  },
}
