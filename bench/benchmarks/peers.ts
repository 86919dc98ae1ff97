import type { Proof } from '#contract/claims/proof.ts'
import campaign from '#server/testing/campaign.ts'
import { syncCampaign } from '#server/domain/campaign/sync-campaign.ts'
import { seedParticipants } from '#server/domain/seed/seed-participants.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import {
  callerAddress,
  compareLoads,
  type Load,
  type LoadResult,
  medianRound,
  rawRequest,
} from '../load/load.ts'
import { residentMb, startProduct, writeRoomyCampaign } from '../product.ts'
import type { Bars, Options, Report, Row } from '../report.ts'
import { type TemporaryDatabase, withDatabase } from '../temporary-database.ts'
import { countLines, installPeer, type Peer, readPeerFile, startPeer } from './peer.ts'

const CONNECTIONS = 64
const ROUNDS = 3
/** A prime number, which spreads the requested pages over the whole leaderboard. */
const PAGE_STEP = 7_919
const SERVERS = ['Dropwright', 'Express and Drizzle', 'Strapi'] as const
type Server = (typeof SERVERS)[number]

/** `page`: reads a page of ten. */
const CALLS: Record<Server, { page: string; claim: string; bodyOf: (proof: Proof) => unknown }> = {
  Dropwright: {
    page: '/api/v1/users/leaderboard?limit=10&page=',
    claim: '/api/v1/tasks',
    bodyOf: (proof) => proof,
  },
  'Express and Drizzle': {
    page: '/leaderboard?limit=10&page=',
    claim: '/claims',
    bodyOf: (proof) => proof,
  },
  Strapi: {
    page: '/api/players?fields[0]=username&fields[1]=points&sort[0]=points:desc&sort[1]=reached&pagination[pageSize]=10&pagination[page]=',
    claim: '/api/claims',
    bodyOf: (proof) => ({ data: proof }),
  },
}

/**
 * Compares the product with a server as most people would write it first, and with a content management
 * system. All have the same page, the same claim and the same participants, on the same PostgreSQL. Takes
 * four minutes. The first run takes two more, to install the peers.
 */
export async function peers({ quick }: Options): Promise<Report> {
  const people = quick ? 1_000 : 100_000
  const claimsPerRound = quick ? 200 : 2_000
  await installPeer('.')
  await installPeer('strapi')
  return withDatabase(async (database) => {
    await syncCampaign(database.db, campaign)
    await seedParticipants({ db: database.db, campaign, passwordHash: '' }, people)
    const claimants = await createUsers(database.db, campaign.id, claimsPerRound * ROUNDS)
    await database.runAsOwner(await readPeerFile('express.sql'), 'vacuum analyze')
    const nodes = await startAll(database)
    const seconds = quick ? 1 : 5
    const pagesOf = (pageAt: (index: number) => number) => (server: Server) => ({
      requests: Array.from({ length: 1_000 }, (_, index) =>
        rawRequest(`${CALLS[server].page}${pageAt(index)}`, { token: nodes[server].token }),
      ),
      warmUpSeconds: 1,
      seconds,
    })
    const compare = (load: (server: Server) => Omit<Load, 'port' | 'connections'>) =>
      compareLoads(
        ROUNDS,
        mapServers((server) => ({ ...load(server), port: nodes[server].port, connections: CONNECTIONS })),
      )

    const firstPage = await compare(pagesOf(() => 1))
    const pageCount = Math.floor(people / 10)
    const anyPage = await compare(pagesOf((index) => 1 + ((index * PAGE_STEP) % pageCount)))
    const claims = await compareClaims(nodes, claimants, claimsPerRound)
    return reportOf({ people, nodes, firstPage, anyPage, claims })
  })
}

type Node = Pick<Peer, 'port' | 'pid' | 'startMs' | 'token'> & { restMb: number }
type Nodes = Record<Server, Node>
type Results = Record<Server, LoadResult>

const mapServers = <T>(make: (server: Server) => T) =>
  Object.fromEntries(SERVERS.map((server) => [server, make(server)])) as Record<Server, T>

async function startAll({ lifetime, url, ownerUrl, runAsOwner }: TemporaryDatabase): Promise<Nodes> {
  const CAMPAIGN_CONFIG = await writeRoomyCampaign(lifetime)
  const ours = await startProduct(lifetime, url, { CAMPAIGN_CONFIG })
  const env = { DATABASE_URL: ownerUrl }
  const express = await startPeer(lifetime, 'express-server.mjs', env)
  // The first start of Strapi creates the tables.
  await runAsOwner('create schema strapi')
  await (await startPeer(lifetime, 'strapi/server.cjs', env)).stop()
  await runAsOwner(await readPeerFile('strapi/players.sql'), 'vacuum analyze')
  const strapi = await startPeer(lifetime, 'strapi/server.cjs', env)
  return {
    Dropwright: { ...ours, restMb: await residentMb(ours.pid) },
    'Express and Drizzle': { ...express, restMb: await residentMb(express.pid) },
    Strapi: { ...strapi, restMb: await residentMb(strapi.pid) },
  }
}

/** Each participant claims once on each server, each from another address. */
async function compareClaims(
  nodes: Nodes,
  claimants: readonly TestUser[],
  perRound: number,
): Promise<Results> {
  const rounds = mapServers((): LoadResult[] => [])
  for (let round = 0; round < ROUNDS; round += 1) {
    const claimantsOfRound = claimants.slice(round * perRound, (round + 1) * perRound)
    const results = await compareLoads(
      1,
      mapServers((server) => ({
        port: nodes[server].port,
        connections: CONNECTIONS,
        once: true,
        requests: claimantsOfRound.map(({ token }, index) =>
          rawRequest(CALLS[server].claim, {
            token: nodes[server].token ?? token,
            body: CALLS[server].bodyOf(freshProof()),
            from: callerAddress(round * perRound + index),
          }),
        ),
      })),
    )
    for (const server of SERVERS) rounds[server].push(onlyAccepted(server, results[server]))
  }
  return mapServers((server) => medianRound(rounds[server]))
}

/**
 * The result of the accepted claims. On a busy machine, the product refuses some with 503.
 * @throws if a claim was refused for another reason, because the servers have then not done the same work
 */
function onlyAccepted(server: Server, result: LoadResult): LoadResult {
  const { 201: created = 0, 503: refused = 0, ...others } = result.statuses
  if (created === 0 || Object.keys(others).length > 0)
    throw new Error(`${server} answered claims with ${JSON.stringify(result.statuses)}`)
  if (refused > 0) console.log(`${server} refused ${refused} of ${created + refused} claims with 503`)
  return { ...result, ...result.byStatus['201'], perSecond: created / result.seconds }
}

type Measured = { people: number; nodes: Nodes; firstPage: Results; anyPage: Results; claims: Results }

async function reportOf({ people, nodes, firstPage, anyPage, claims }: Measured): Promise<Report> {
  const rows = await Promise.all(
    SERVERS.map(async (server): Promise<Row> => ({
      server,
      // The three columns of latencies have the same name. Trailing spaces make their keys different.
      'page 1, per s': firstPage[server].perSecond,
      'p99, ms': firstPage[server].p99,
      'any page, per s': anyPage[server].perSecond,
      'p99, ms ': anyPage[server].p99,
      'claims, per s': claims[server].perSecond,
      'p99, ms  ': claims[server].p99,
      'ready, ms': Math.round(nodes[server].startMs),
      'at rest, MB': Math.round(nodes[server].restMb),
      'after, MB': Math.round(await residentMb(nodes[server].pid)),
    })),
  )
  const groups = Object.entries({
    'Page 1 of the leaderboard': firstPage,
    'Any page': anyPage,
    Claims: claims,
  })
  const plot: Bars = {
    kind: 'bars',
    name: 'peers',
    title: 'The same calls on the product and its peers',
    unit: `Answers per second, ${CONNECTIONS} connections`,
    groups: groups.map(([label, results]) => ({
      label,
      bars: SERVERS.map((series) => ({ series, value: results[series].perSecond })),
    })),
  }
  return {
    title: `${people.toLocaleString('en')} participants, ${CONNECTIONS} connections, the same PostgreSQL`,
    rows,
    plots: [plot],
    notes: [
      `The Express server is complete in ${await countLines('express-server.mjs')} lines.`,
      'Its claim checks a session and four patterns and runs a transaction of two statements; the product also assigns the slot, keeps wallets and handles reserved, queues evidence checks and emails, limits rates, and logs each request.',
      'Strapi needs two schemas instead of code and includes an editor; its claim checks one token that all participants share and that each field is unique, and assigns no slot. It logs each request; Express does not.',
      'Medians of three rounds, alternating.',
    ],
  }
}
