import type { TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { catalogue } from '../messages.ts'
import { createHttpServer, type HttpOptions } from '../platform/http/server.ts'

/** The product's HTTP server without any feature, for tests of one feature's routes; closed after the test. */
export function bareApp(t: TestContext, options: Partial<HttpOptions> = {}): FastifyInstance {
  const app = createHttpServer({
    publicUrl: 'http://localhost:3000',
    production: false,
    trustProxy: [],
    logger: pino({ level: 'silent' }),
    catalogue,
    dev: false,
    ...options,
  })
  t.after(() => app.close())
  return app
}
