// The leaderboard and the claim as most people would write them first: Express, Drizzle, a pool, OFFSET,
// session tokens. They lack what the product adds: evidence, signals, mail, journal, rate limits …
import { createHash } from 'node:crypto'
import { asc, desc, eq, lt, and, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { bigint, integer, pgSchema, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import express from 'express'
import pg from 'pg'

const schema = pgSchema('express')
const players = schema.table('players', {
  id: uuid().primaryKey(),
  username: text().notNull(),
  points: bigint({ mode: 'number' }).notNull(),
  /** Smaller for those who reached their points earlier. */
  reached: bigint({ mode: 'number' }).notNull(),
})
const sessions = schema.table('sessions', {
  tokenHash: text('token_hash').primaryKey(),
  playerId: uuid('player_id').notNull(),
})
const campaigns = schema.table('campaigns', {
  id: text().primaryKey(),
  slots: integer().notNull(),
  taken: integer().notNull(),
})
const claims = schema.table('claims', {
  id: uuid().primaryKey().defaultRandom(),
  playerId: uuid('player_id').notNull().unique(),
  wallet: text().notNull().unique(),
  telegram: text().notNull().unique(),
  twitter: text().notNull().unique(),
  retweetLink: text('retweet_link').notNull().unique(),
  submittedAt: timestamp('submitted_at').notNull().defaultNow(),
})

const db = drizzle(new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 }))
const app = express()
app.use(express.json())

app.get('/leaderboard', async (request, response) => {
  const limit = Math.min(Number(request.query.limit) || 10, 100)
  const page = Math.max(Number(request.query.page) || 1, 1)
  const [rows, total] = await Promise.all([
    db
      .select({ username: players.username, points: players.points })
      .from(players)
      .orderBy(desc(players.points), asc(players.reached))
      .limit(limit)
      .offset((page - 1) * limit),
    db.$count(players),
  ])
  const users = rows.map((row, index) => ({ rank: (page - 1) * limit + index + 1, ...row }))
  response.json({ users, page, pages: Math.ceil(total / limit), total })
})

const PATTERNS = {
  wallet: /^0x[0-9a-fA-F]{40}$/,
  telegram: /^@\w{4,32}$/,
  twitter: /^@\w{1,15}$/,
  retweetLink: /^https:\/\/(x|twitter)\.com\/\w+\/status\/\d+$/,
}

app.post('/claims', async (request, response) => {
  const token = request.get('authorization')?.replace('Bearer ', '') ?? ''
  const tokenHash = createHash('sha256').update(token).digest('hex')
  const [session] = await db.select().from(sessions).where(eq(sessions.tokenHash, tokenHash))
  if (!session) return response.status(401).json({ message: 'Log in first.' })
  for (const [field, pattern] of Object.entries(PATTERNS))
    if (!pattern.test(request.body[field]))
      return response.status(400).json({ message: `${field} is wrong.` })
  const { wallet, telegram, twitter, retweetLink } = request.body
  const claim = await db.transaction(async (tx) => {
    const [taken] = await tx
      .update(campaigns)
      .set({ taken: sql`${campaigns.taken} + 1` })
      .where(and(eq(campaigns.id, 'campaign'), lt(campaigns.taken, campaigns.slots)))
      .returning()
    if (!taken) return undefined
    const [created] = await tx
      .insert(claims)
      .values({ playerId: session.playerId, wallet, telegram, twitter, retweetLink })
      .returning()
    return created
  })
  if (!claim) return response.status(409).json({ message: 'All slots are taken.' })
  return response.status(201).json({ message: 'Submitted.', data: claim })
})

const server = app.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
process.once('disconnect', () => process.exit())
