import type { FastifyInstance } from 'fastify'
import { build, type Rolldown } from 'vite'
import { CROSS_ORIGIN } from '#server/platform/http/security/security-headers.ts'
import { fromRoot } from '#server/platform/root.ts'

/** Where development serves the two files of `/check`. */
export const CHECK_SOURCES = { checkScript: '/assets/check.js', checkStyle: '/assets/check.css' }

/** Development: builds the files of `/check`, which cannot load Vite's modules, at each request. */
export function serveCheckFiles(app: FastifyInstance) {
  const files = [
    { url: CHECK_SOURCES.checkScript, type: 'text/javascript; charset=utf-8', ending: '.js' },
    { url: CHECK_SOURCES.checkStyle, type: 'text/css; charset=utf-8', ending: '.css' },
  ]
  for (const { url, type, ending } of files)
    app.get(url, async (_request, reply) =>
      reply
        .headers(CROSS_ORIGIN)
        .type(type)
        .send(await buildFile(ending)),
    )
}

async function buildFile(ending: string): Promise<string | Uint8Array> {
  const configFile = fromRoot('vite.check.config.ts')
  const built = await build({ configFile, logLevel: 'warn', build: { write: false } })
  const { output } = (Array.isArray(built) ? built[0] : built) as Rolldown.RolldownOutput
  const file = output.find(({ fileName }) => fileName.endsWith(ending))
  if (!file) throw new Error(`The build of /check has no ${ending}`)
  return file.type === 'chunk' ? file.code : file.source
}
