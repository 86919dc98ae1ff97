import pg from 'pg'

/** Participants, and rows of most tables that grow with the participants. For some, {@link FEW} suffice. */
export const ROWS = 100_000

/** The id of participant, claim or journal entry n, so that tests can name rows. */
export const idOf = (number: number): string => `00000000-0000-0000-0000-${String(number).padStart(12, '0')}`

export const ADMINISTRATOR = idOf(1)

/** Each participant has a claim and is on the waiting list. Two claims in a thousand have a high risk. */
export async function fillCampaign(ownerUrl: string, campaignId: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 4, options: SETTINGS })
  try {
    await Promise.all(Object.entries(TABLES).map(([table, rows]) => load(pool, table, rows(campaignId))))
    for (const [table, rows] of Object.entries(COUNTS)) await load(pool, table, rows)
    // After all inserts: an open transaction keeps rows from being marked as visible to all.
    const tables = [...Object.keys(TABLES), ...Object.keys(COUNTS)]
    await Promise.all(tables.map((table) => pool.query(`vacuum analyze ${table}`)))
  } finally {
    await pool.end()
  }
}

/** PostgreSQL samples 300 rows per unit. With this target it samples all, so that chance decides no plan. */
const STATISTICS_TARGET = Math.ceil(ROWS / 300)

/** Without triggers and checks of foreign keys, which would double the time. */
const SETTINGS = `-c session_replication_role=replica -c default_statistics_target=${STATISTICS_TARGET}`

/** Inserts without indexes and builds them afterwards, which is faster. */
async function load(pool: pg.Pool, table: string, rows: string): Promise<void> {
  const { rows: indexes } = await pool.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes where tablename = $1
      and not exists (select from pg_constraint where conname = indexname)`,
    [table],
  )
  const drop = indexes.map(({ name }) => `drop index ${name};`)
  const create = indexes.map(({ definition }) => `${definition};`)
  await pool.query([...drop, `insert into ${table} ${rows};`, ...create].join('\n'))
}

/** {@link idOf} in SQL. */
const uuid = (n: string) => `lpad((${n})::text, 32, '0')::uuid`
const each = (condition = 'true') => `from generate_series(1, ${ROWS}) n where ${condition}`

/** Enough rows for a table from which statements only read single rows, by primary key. */
const FEW = `n <= ${ROWS / 5}`

/** Numbers whose texts sort as the numbers do: inserting in the order of an index is faster. */
const TEXT = `(${ROWS} + n)`

/** Participant n has claim n and slot n. Odd claims wait. A fifth of the even ones is rejected. */
const IS_DECIDED = 'n % 2 = 0'
const IS_REJECTED = 'n % 10 = 2'
const IS_APPROVED = `${IS_DECIDED} and not (${IS_REJECTED})`

export const TOKEN = `369:0x${'0'.repeat(40)}`
const TOKEN_CLAIMS = `array['chain', 'ownership', 'supply', 'liquidity', 'tax']`

/** The frozen allocation: the row of participant n is at position n - 1. */
export const FREEZE = idOf(900_000_001)
const termsOf = (campaignId: string) =>
  JSON.stringify({
    campaign: { id: campaignId, name: 'Large' },
    token: { symbol: 'PF', decimals: 18 },
    coin: { symbol: 'PLS', decimals: 18 },
    chain: { id: 369, explorerUrl: 'https://explorer.example' },
  })
/** Without letters, because a checksum would decide their case. */
export const walletOf = (number: number): string => `0x1${String(number).padStart(39, '0')}`
const wallet = (n: string) => `'0x1' || lpad((${n})::text, 39, '0')`

const MEASURES = `array['slots', 'waiting_list', 'submitted', 'approved', 'decided', 'views', 'visits', 'registered',
  'verified', 'mail']`

const TABLES: Record<string, (campaignId: string) => string> = {
  token_proofs: () => `
    (token, claim, trouble)
    select '${TOKEN}', claim, '{"verdict": "could_not_check"}' from unnest(${TOKEN_CLAIMS}) claim`,
  token_proof_changes: () => `
    (id, token, claim, verdict, reason, block, at)
    select ${uuid('n')}, '${TOKEN}', (${TOKEN_CLAIMS})[n % 5 + 1], 'proven', '{}', n, now() - n * interval '1 minute'
    ${each(FEW)}`,
  campaigns: (id) => `(id, slots_total, slots_taken) values ('${id}', ${2 * ROWS}, ${ROWS})`,
  users: () => `
    (id, username, email, email_key, canonical_email, password_hash, referral_code, referred_by, role, banned_at)
    select ${uuid('n')}, 'person' || ${TEXT}, ${TEXT} || '@mail.example', ${TEXT} || '@mail.example',
      n / 2 || '@mail.example', '', 'P' || ${TEXT},
      case when n % 3 = 0 then ${uuid('n / 1000 + 1')} end, case when n = 1 then 'admin' else 'user' end,
      case when n % 5000 = 7 then now() end ${each()}`,
  // The first hundred have expired.
  registrations: () => `
    (id, username, email, email_key, password_hash, expires_at)
    select ${uuid('n')}, 'newcomer' || n, n || '@new.example', n || '@new.example', '',
      now() + (n - 100) * interval '1 hour' ${each(FEW)}`,
  codes: () => `
    (id, purpose, email_key, registration_id, digest, starts_at, expires_at)
    select ${uuid('n')}, 'verify-email', n || '@new.example', ${uuid('n')}, '', now() - interval '1 hour',
      now() - interval '50 minutes' ${each(FEW)}`,
  usernames: () => `
    (key, held_for, held_until)
    select 'newcomer' || n, n || '@new.example', now() + (n - 100) * interval '1 hour' ${each(FEW)}`,
  standings: (id) => `
    (campaign_id, user_id, pf, pls, referral)
    select '${id}', ${uuid('n')}, points, points, n % 17 * 1000
    from (select n, case when ${IS_APPROVED} then 20000 else 0 end as points ${each()}) x`,
  // Participants whose number ends in 012 have no slot, and are first on the waiting list.
  slots: (id) => `
    (campaign_id, number, user_id, state, until)
    select '${id}', n, case when n % 1000 <> 12 then ${uuid('n')} end,
      case when n % 1000 = 12 then 'free' when ${IS_REJECTED} then 'kept' else 'claimed' end,
      case when ${IS_REJECTED} and n % 1000 <> 12 then now() + (n - 100) * interval '1 minute' end ${each(FEW)}`,
  waiting_list: (id) =>
    `(campaign_id, user_id) select '${id}', ${uuid('n')} ${each()} order by n % 1000 <> 12, n`,
  claims: (id) => `
    (id, campaign_id, user_id, status, slot, wallet, telegram, twitter, post_id, retweet_link, risk, submitted_at,
      decided_at, decided_by, reason_code)
    select ${uuid('n')}, '${id}', ${uuid('n')}, case when ${IS_REJECTED} then 'rejected' when ${IS_DECIDED} then 'approved'
        when n % 10001 = 0 then 'submitted' else 'under_review' end,
      n, '0x' || ${TEXT}, 't' || ${TEXT}, 'x' || ${TEXT}, ${TEXT}, 'https://x.com/x' || n,
      case when n % 1000 < 2 then 60 when n % 20 < 2 then 30 when n % 8 < 2 then 15 else 0 end,
      now() - n * interval '10 seconds', case when ${IS_DECIDED} then now() - n * interval '5 seconds' end,
      case when ${IS_DECIDED} then ${uuid('1')} end, case when ${IS_REJECTED} then 'post_missing' end ${each()}`,
  claim_events: () => `(id, claim_id, what) select ${uuid('n')}, ${uuid('n')}, 'received' ${each(FEW)}`,
  claim_identifiers: (id) => `
    select '${id}', kind, ${TEXT}, ${uuid('n')}
    from unnest('{post,wallet}'::text[]) kind, lateral (select n ${each(`not (${IS_APPROVED}) and ${FEW}`)}) x`,
  appeals: (id) => `
    (claim_id, campaign_id, text, answered_at)
    select ${uuid('n')}, '${id}', 'A mistake.', case when n % 500 <> 2 then now() end ${each(IS_REJECTED)}`,
  evidence: () => `
    (claim_id, check_name, outcome, detail, source)
    select ${uuid('n')}, 'wallet', 'confirmed', '', 'chain' ${each(FEW)}`,
  // Ids that begin with f are later than the freeze, as if these points were credited since.
  ledger: (id) => `
    (id, campaign_id, user_id, kind, amount, claim_id)
    select (case when n % 500 = 0 then 'f' else '0' end || lpad(n::text, 31, '0'))::uuid,
      '${id}', ${uuid('n')}, 'pf', 20000, ${uuid('n')} ${each(`${IS_APPROVED} and n <= 50000`)}`,
  payout_rows: () => `
    (freeze_id, position, wallet, pf, pls, is_contract)
    select '${FREEZE}', n - 1, ${wallet('n')}, 20000, 10000, n % 5000 = 0 ${each(FEW)}`,
  payout_shares: () => `
    (freeze_id, user_id, claim_id, position, pf_points, pls_points, referral_points)
    select '${FREEZE}', ${uuid('n')}, ${uuid('n')}, n - 1, 20000, 20000, 0 ${each(FEW)}`,
  payout_left_out: () => `
    (freeze_id, number, reason, user_id, pf, pls)
    select '${FREEZE}', n - 1, 'no_approved_claim', ${uuid('n')}, 1, 1 ${each(FEW)}`,
  // Each leaf is node 4096, twelve below the root.
  payout_chunks: () => `
    (freeze_id, part, number, bytes)
    select '${FREEZE}'::uuid, 'nodes', n, ''::bytea ${each(FEW)}
    union all select '${FREEZE}'::uuid, 'leaves', 0, decode(repeat('00001000', ${ROWS / 5}), 'hex')`,
  payout_freezes: (id) => `
    (id, campaign_id, number, root, recipients, pf_recipients, pls_recipients, pf, pls, contracts, sharing, left_out,
      terms, undecided)
    select '${FREEZE}', '${id}', 1, sha256('root'), ${ROWS / 5}, ${ROWS / 5}, ${ROWS / 5}, 1, 1, 4, 0, '[]', '${termsOf(id)}', 0`,
  payout_payments: () => `
    (freeze_id, transaction, log_index, position, asset, amount, payer, block)
    select '${FREEZE}', sha256(int4send(n)), -1, n - 1, 'pf', 20000, ${wallet('1')}, n ${each(FEW)}`,
  telegram_accounts: () => `
    (user_id, telegram_id, username) select ${uuid('n')}, n, 'tele' || ${TEXT} ${each(FEW)}`,
  proven_wallets: (id) => `
    (campaign_id, user_id, address, kind) select '${id}', ${uuid('n')}, ${wallet('n')}, 'account' ${each(FEW)}`,
  wallet_messages: (id) => `
    select lpad(n::text, 32, '0'), '${id}', ${uuid('n')}, ${wallet('n')}, '', now() + (n - 10) * interval '1 minute'
    ${each(FEW)}`,
  seen_revisions: () =>
    `(claim_id, administrator, revision) select ${uuid('n')}, ${uuid('1')}, 2 ${each(FEW)}`,
  network_visits: (id) => `
    (campaign_id, user_id, event, prefix, at)
    select '${id}', ${uuid('n')}, 'claim', decode(md5((case when n % 50 = 0 then 0 else n / 3 end)::text), 'hex'),
      now() - n * interval '10 seconds' ${each(FEW)}`,
  post_texts: (id) => `
    select ${uuid('n')}, '${id}', 'words', array(select hashint4(n / 2 * 12 + band) from generate_series(1, 12) band)
    ${each(FEW)}`,
  clusters: (id) => `select '${id}', ${uuid('n')}, ${uuid('n - n % 4')} ${each(`n > 3 and ${FEW}`)}`,
  account_links: (id) => `
    select '${id}', ${uuid('n - 1')}, ${uuid('n')}, 'shared-network' ${each(`n > 3 and n % 4 > 0 and ${FEW}`)}`,
  journal: () => `
    (id, at, actor, action, subject)
    select ${uuid('n')}, now() - (${ROWS} - n) * interval '10 seconds', case when n % 1000 = 0 then ${uuid('1')} end,
      case when n % 5000 = 0 then 'role.changed' else 'points.credited' end, ${uuid('n')} ${each()}`,
  journal_details: () => `
    select ${uuid('n')}, sha256(int4send(n)), '{}' ${each(FEW)}`,
  journal_seals: () => `(number, entry, hash) select n, ${uuid('n')}, sha256(int4send(n)) ${each(FEW)}`,
  journal_pending: () => `select ${uuid('n')} ${each(`n > ${ROWS} - 100`)}`,
  jobs: () => `
    (id, kind, payload, run_at, useful_until, done_at)
    select ${uuid('n')}, case when n % 10000 = 0 then 'check-claim' else 'mail' end, '{}', now() - n * interval '1 minute',
      case when n % 4 = 0 then now() + interval '1 day' end, case when n > 50000 then now() end ${each()}`,
  announcements: () => `(id, subject, body) values (${uuid('1')}, 'News', 'Text')`,
  announcement_recipients: () => `
    select ${uuid('1')}, ${uuid('n')}, ${uuid('n')}, case when n % 1000 <> 45 then 'sent' end ${each(FEW)}`,
  // 500 days with ten measures, each in twenty parts.
  daily_counts: (id) => `
    select case when n % 2 = 0 then '${id}' else '' end, (${MEASURES})[n % 5 + 1 + n % 2 * 5], current_date - n / 200,
      ${uuid('n % 200 / 10 + 1')} || ' approved', 1 ${each()}`,
  rate_limits: () => `select 'login ' || ${TEXT}, 1, 0, now() + n * interval '1 second' ${each(FEW)}`,
}

/** What triggers and compactions would leave. Buckets are 2^width wide, their parts 2^(6 · level). */
const COUNTS = {
  standings_totals: `
    select campaign_id, array_agg(rank_key order by rank_key), array_agg(upto order by rank_key)
    from (select campaign_id, rank_key, sum(count(*)) over (order by rank_key) as upto from standings group by 1, 2) counted
    group by 1`,
  standings_counts: `
    select campaign_id, level, rank_key, bucket, add_to_counts('{}', array_agg(part order by part), array_agg(upto order by part))
    from (
      select campaign_id, level, rank_key, bucket, part,
        (sum(count(*)) over (partition by level, rank_key, bucket order by part))::integer as upto
      from standings, (values (1, 12), (2, 18), (3, 62)) l (level, width), lateral (
        select reached >> width as bucket, ((reached >> 6 * level) - (reached >> width << width - 6 * level))::integer as part) b
      group by 1, 2, 3, 4, 5) counted
    group by 1, 2, 3, 4`,
  claim_counts: `
    select campaign_id, attempt = 1, decided_at is not null, risk_order, count(*) from claims group by 1, 2, 3, 4`,
}
