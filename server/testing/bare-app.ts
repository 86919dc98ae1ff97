import type { TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { catalogIn } from '../messages/errors.ts'
import { createPublicAnswers } from '../platform/http/public-answers/public-answers.ts'
import { createHttpServer, type HttpOptions } from '../platform/http/server.ts'
import { createLog } from '../platform/log/log.ts'
import { deriveKeys } from '../platform/secrets.ts'
import { createSecurityEvents } from '../platform/log/security-events.ts'

/** For tests of the platform, which must not import the product's texts themselves. */
export const testCatalogIn = catalogIn

/** The HTTP server without the product's routes, closed after the test. */
export function bareApp(t: TestContext, options: Partial<HttpOptions> = {}): FastifyInstance {
  const { logger = createLog('silent') } = options
  const keys = deriveKeys('a secret of the tests, long enough to be one')
  const app = createHttpServer({
    publicUrl: 'http://localhost:3000',
    isProduction: false,
    trustProxy: [],
    logger,
    security: createSecurityEvents({ log: logger, keys }),
    catalogIn,
    isDev: false,
    publicAnswers: createPublicAnswers({ keepForMs: 0 }),
    ...options,
  })
  t.after(() => app.close())
  return app
}
