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
  remark: 'remark',
  summary: (problems: number, untold: number) =>
    (problems === 0 ? 'Nothing is wrong' : `${count(problems, 'problem')} to solve`) +
    (untold === 0 ? '.' : `; ${count(untold, 'check')} could not tell.`),

  unusable: (names: readonly string[]) => `${names.join(', ')} cannot be used (see environment).`,
  tookTooLong: (seconds: number) => `It took longer than ${seconds} s.`,
  failed: (message: string) => `The check failed: ${message.split('\n')[0]}`,
  noDatabase: 'The database cannot be used (see database).',
  noDatabaseYet: 'There is no database in DATA_DIR yet: the first npm start makes it.',
  emptyDatabase: 'The database is empty: the first npm start fills it.',
  noCampaign: 'The campaign file cannot be used (see campaign file).',

  environment: {
    fine: 'Every variable is usable.',
    notProduction: 'NODE_ENV is not production: set it for a public site.',
  },
  campaign: {
    fine: (id: string, file: string) => `${file} describes ${id}.`,
    placeholder: 'token.placeholder is true: every page says that the contract is a placeholder.',
    closed: (at: string) => `airdrop.closesAt is past (${at}): nobody can claim.`,
    notOpen: (at: string) => `airdrop.opensAt is still to come (${at}): nobody can claim until then.`,
    noPayout: 'payout is missing: set its rates before the campaign is paid.',
  },
  database: {
    fine: (version: string, schema: string) =>
      `PostgreSQL ${version} answers; its schema is current (${schema}).`,
    tooOld: (version: string) => `It is PostgreSQL ${version}, but 15 is the oldest that works: upgrade it.`,
    pending: (names: readonly string[]) =>
      `${count(names.length, 'migration')} not applied (${names[0]}${names.length > 1 ? ` to ${names.at(-1)}` : ''}): back up, then start this version, which applies them.`,
    unreadable: (message: string) => `${message[0]?.toUpperCase()}${message.slice(1)}`,
    missingRights: (role: string, tables: readonly string[]) =>
      `The role ${role} lacks rights on ${tables.join(', ')}: start the program with DATABASE_OWNER_URL set, which grants them.`,
    tooManyRights: (role: string, tables: readonly string[]) =>
      `The role ${role} may change ${tables.join(', ')}, which only grow: serve as a role that neither owns them nor belongs to one that may change them (see Two roles).`,
    oneRole:
      'One role serves and owns the tables: set DATABASE_OWNER_URL and a serving role of its own (see Two roles).',
  },
  administrators: {
    fine: (number: number) => `${count(number, 'administrator')}.`,
    none: 'There is no administrator: npm run admin -- link prints a link to create the first one with.',
    linkOpen: (until: string) =>
      `There is no administrator, but a setup link is open until ${until}: open the one that was printed last, or npm run admin -- link for another.`,
  },
  journal: {
    fine: (entries: number, heads: number) =>
      `It verifies: ${count(entries, 'entry', 'entries')}, ${count(heads, 'published head')}.`,
    broken: (line: number, why: string) =>
      `It does not verify: entry ${line}, ${why}. Keep the database as it is, and compare it with a backup.`,
    otherHead: (day: string) =>
      `The head published on ${day} is not in it: it was rewritten, or restored from an older backup. Say on your channels which.`,
  },
  disk: {
    fine: (folders: readonly (readonly [string, number])[]) =>
      `${folders.map(([name, bytes]) => `${name} is writable, ${gigabytes(bytes)} free`).join('; ')}.`,
    notWritable: (name: string, folder: string, reason: string) =>
      `${name} ${folder} is not writable (${reason}): give this account the right, or set ${name} to another folder.`,
    full: (name: string, folder: string, bytes: number) =>
      `The disk of ${name} ${folder} has ${gigabytes(bytes)} left: make room, or move it to a larger one.`,
    notMade: (name: string, folder: string) =>
      `${name} ${folder} does not exist yet: the first npm start makes it.`,
    low: (name: string, bytes: number) => `The disk of ${name} has only ${gigabytes(bytes)} left.`,
  },
  backups: {
    fine: (age: number, file: string) => `The last one is ${span(age)} old: ${file}`,
    noneMade: 'No backup has been made yet.',
    notScheduled: 'None are scheduled: set BACKUP_DIR=/path/on/another/disk',
    howOften: 'and BACKUP_EVERY_HOURS=24 (as it is when not set)',
    notNoted: 'The database does not note backups yet (see database).',
    tooOld: (age: number, hours: number) =>
      `The last one is ${span(age)} old, but one is due every ${count(hours, 'hour')}: see the log for why, or npm run backup -- FILE.`,
    overdue: (hours: number) =>
      `There is none, although one is due every ${count(hours, 'hour')}: see the log for why, or npm run backup -- FILE.`,
    lastFailed: (error: string) => `The last attempt failed: ${error}`,
    rehearsed: (age: number) => `Last rehearsed ${span(age)} ago.`,
    neverRehearsed: 'Never rehearsed: npm run restore -- --rehearse FILE shows whether a backup is good.',
    rehearsalFailed: (error: string) =>
      `The last rehearsal failed: ${error} Make another backup, and rehearse that one.`,
  },
  mailServer: {
    fine: (host: string, hasTls: boolean) =>
      `${host} answers${hasTls ? ' over TLS' : ''}, and would take emails.`,
    none: 'SMTP_URL is not set: emails go to the development mailbox.',
    login: (answer: string) => `It refuses the login (${answer}): correct user and password in SMTP_URL.`,
    tls: (answer: string) =>
      `There is no TLS with it (${answer}): use a server with STARTTLS or smtps://, or add ?requireTLS=false if it is on your own network.`,
    unreachable: (host: string, answer: string) =>
      `${host} does not answer (${answer}): correct host and port in SMTP_URL, or open the firewall for them.`,
    noNameServer: (host: string, answer: string) => `${host} could not be looked up (${answer}).`,
  },
  sender: {
    fine: (domain: string, records: readonly string[]) =>
      `${domain} has ${records.slice(0, -1).join(', ')} and ${records.at(-1)}.`,
    dkim: 'DKIM cannot be seen from here: set DKIM_SELECTOR to the s= of the DKIM-Signature in an email that arrived.',
    dkimProblem: (domain: string, reason: string) =>
      reason === 'missing'
        ? `${domain} has no DKIM key under DKIM_SELECTOR: publish the record that your mail provider names, or correct the selector.`
        : reason === 'revoked'
          ? `The DKIM key of ${domain} is revoked (p= is empty): publish the one that your mail server signs with.`
          : reason === 'short'
            ? `The DKIM key of ${domain} is shorter than 1024 bits: have your mail provider make a new one.`
            : `The DKIM key of ${domain} cannot be read: publish it again exactly as your mail provider names it.`,
    notPublic: (domain: string) => `MAIL_FROM is at ${domain}, which is no public domain.`,
    noAnswer: (domain: string, code: string) => `The records of ${domain} could not be looked up (${code}).`,
    noSpf: (domain: string, record?: string) =>
      `${domain} has no SPF record: add ${record === undefined ? 'the TXT record that your mail provider names, such as "v=spf1 include:… -all"' : `the TXT record "${record}"`}.`,
    severalSpf: (domain: string) =>
      `${domain} has several SPF records, so that none counts: merge them into one.`,
    openSpf: (domain: string) =>
      `The SPF record of ${domain} ends in +all, so that anybody may send: end it in -all.`,
    noDmarc: (domain: string) =>
      `${domain} has no DMARC record: add a TXT record at _dmarc.${domain}, such as "v=DMARC1; p=quarantine".`,
    severalDmarc: (domain: string) => `${domain} has several DMARC records, so that none counts: keep one.`,
    noPolicy: 'Its DMARC policy is none: forged emails are delivered.',
  },
  mailQueue: {
    fine: (waiting: number) =>
      waiting === 0 ? 'No email waits.' : `${count(waiting, 'email')} waiting, none for long.`,
    stuck: (waiting: number, age: number, error: string | null) =>
      `${count(waiting, 'email')} waiting, the oldest for ${span(age)}${error ? ` (${error})` : ''}: solve what mail server says above; if it is fine, start the program.`,
    given: (dead: number, error: string | null) =>
      `${count(dead, 'email')} given up in the last day${error ? `, the newest because: ${error}` : ''}`,
  },
  publicAddress: {
    fine: (url: string) => `${url} leads to the program.`,
    notRunning: (url: string) => `Nothing answers at ${url}, and the program does not run on this machine.`,
    unreachable: (url: string, reason: string) =>
      `${url} cannot be reached from here (${reason}), although the program runs: ask for it from elsewhere.`,
    tls: (url: string, reason: string) => `${url} has no valid certificate (${reason}): renew or correct it.`,
    proxyFails: (url: string, status: number) =>
      `${url} answers ${status}, although the program runs: point the proxy to its HOST and PORT.`,
    otherHost: (url: string) =>
      `${url} answers 400: let the proxy pass on the Host header, or correct PUBLIC_URL.`,
    redirects: (url: string, status: number) =>
      `${url} answers ${status}, a redirect: set PUBLIC_URL to the address where visitors end up.`,
    notOurs: (url: string) => `Something else answers at ${url}: correct PUBLIC_URL, or the proxy.`,
    noForwarding: (url: string) =>
      `${url}/metrics can be read by everybody, because the proxy names no visitor: let it set X-Forwarded-For.`,
    forwards: 'The proxy says who visits.',
    unseen: 'Whether the proxy says who visits (X-Forwarded-For) cannot be seen from here.',
  },
  clock: {
    fine: (compared: string) => `This machine’s clock fits ${compared}.`,
    database: 'the database’s',
    chain: 'the chain’s',
    alone: 'Neither the database nor the chain could be asked for the time.',
    apart: (seconds: number) =>
      `The clocks of this machine and of the database differ by ${span(seconds)}: run an NTP client on both.`,
    behind: (seconds: number) =>
      `The chain’s newest block is ${span(seconds)} ahead of this machine’s clock: run an NTP client.`,
  },
  arrival: {
    fine: (client: string, origin: string) => `You came to ${origin}, from ${client}.`,
    otherOrigin: (origin: string, publicUrl: string) =>
      `You opened ${origin}, but PUBLIC_URL is ${publicUrl}, where emails and link previews lead: set PUBLIC_URL=${origin}, or open the site at ${publicUrl}.`,
    ignored: (peer: string, network: string) =>
      `A proxy at ${peer} names the visitor (X-Forwarded-For), but TRUST_PROXY is not set, so that all visitors count as one: set TRUST_PROXY=${network}.`,
    untrusted: (peer: string, trusted: string) =>
      `TRUST_PROXY=${trusted} does not contain the proxy at ${peer}, so that all visitors count as one: add ${peer} to it.`,
    otherHeader: (names: string, network: string) =>
      `The proxy names the visitor in ${names}, which is not read, so that all visitors count as one: let it set X-Forwarded-For, and set TRUST_PROXY=${network}.`,
    unnamed: (peer: string, network: string) =>
      `PUBLIC_URL is https, so a proxy must be in front, but ${peer} names no visitor, so that all count as one: let it set X-Forwarded-For, and set TRUST_PROXY=${network}.`,
    privateClient: (client: string) =>
      `You are seen at ${client}, a private address: right only if you are on the server’s own network.`,
    plainHttp:
      'The proxy says that you came by plain http (X-Forwarded-Proto): redirect http to https there.',
  },
  browserClock: {
    fine: 'The clock of your device fits this machine’s.',
    apart: (seconds: number) =>
      `The clocks of your device and of this machine differ by ${span(seconds)}: if the clock check is fine, yours is wrong; countdowns count from it.`,
  },
  testMail: {
    taken: (host: string, answer: string) =>
      `${host} took the email and answered: ${answer}. Now look whether it is in your inbox or in the spam folder.`,
    mailbox: (url: string) => `SMTP_URL is not set: the email is in the development mailbox, ${url}.`,
    sender: (answer: string) =>
      `It refuses the sender (${answer}): set MAIL_FROM to an address that this mail account may send from.`,
    recipient: (answer: string) => `It refuses your address (${answer}): correct the email of your account.`,
    message: (answer: string) => `It refuses the email itself (${answer}): ask your mail provider why.`,
  },
  chain: {
    fine: (block: number, { name, id, age }: { name: string; id: number; age: number }) =>
      `The node is on ${name} (${id}), at block ${block}, which is ${span(Math.max(0, age))} old.`,
    failed: (reason: string) => `The node ${reason}: correct CHAIN_RPC_URL, or choose another node.`,
    limited: (status: number) => `The node answered ${status}: it is busy, or asked too often.`,
    oddId: (id: string) => `The node names no chain id, but ${id}.`,
    otherChain: (found: number, wanted: number) =>
      `The node is on chain ${found}, the campaign on ${wanted}: correct CHAIN_RPC_URL.`,
    noBlock: 'The node names its chain, but not its newest block.',
    old: (seconds: number) =>
      `The node’s newest block is ${span(seconds)} old: choose another node; if the clock check is not fine, mend the clock first.`,
    noBatch: 'The node takes no batches: a token check makes more requests.',
    noSimulation: 'The node cannot simulate (eth_simulateV1): taxes cannot be proven.',
  },
  price: {
    fine: (pairs: number) => `The price service answers with ${count(pairs, 'pair')}.`,
    noPair: 'It knows no pair of this token: pages show no price from it.',
    busy: (reason: string) => `The price service ${reason}.`,
    failed: (reason: string) =>
      `The price service ${reason}: correct PRICE_API_URL. Meanwhile the price comes from the token’s pools.`,
  },
}
