import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/journal.ts'
import type { Deps } from '#server/deps.ts'
import { createAnswer } from '#server/platform/http/public-answers/answer.ts'
import type { PublicAnswers } from '#server/platform/http/public-answers/public-answers.ts'
import { CROSS_ORIGIN } from '#server/platform/http/security/security-headers.ts'
import { route, type Route, ndjsonRoute } from '#server/platform/http/route.ts'
import { exportJournal } from './export-journal.ts'
import type { ReadHeads } from './heads.ts'
import { readJournal } from './read-journal.ts'

export const journalRoutes = ({ db }: Deps): Route[] => [
  route(contract.journal, ({ query }) => readJournal(db, query)),
  ndjsonRoute(contract.exportJournal, ({ query, caller, network }) =>
    exportJournal(db, { actor: caller.userId, network, withDetails: query.details }),
  ),
]

/** Serves as JSON the hashes that the journal publishes daily. The site also shows them on a page. */
export function addHeads(app: FastifyInstance, readHeads: ReadHeads, publicAnswers: PublicAnswers) {
  const [key, group] = [contract.HEADS_PATH, contract.HEADS_PATH]
  const source = publicAnswers.source(key, group, async () =>
    createAnswer(JSON.stringify({ heads: await readHeads() }), {
      type: 'application/json; charset=utf-8',
      headers: { ...CROSS_ORIGIN, 'cache-control': 'public, max-age=60' },
      compression: 'fast',
    }),
  )
  app.get(contract.HEADS_PATH, (request, reply) => publicAnswers.send(request, reply, source))
}
