import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

type Encoding = 'br' | 'gzip' | 'identity'

/** A body that is held in memory in every encoding that browsers ask for. */
export type PrecompressedFile = { type: string; etag: string; bodies: Record<Encoding, Buffer> }

const { BROTLI_PARAM_QUALITY } = constants
const BEST = { brotli: 11, gzip: 9 }
const QUICK = { brotli: 4, gzip: 4 }

/** Compresses a text, well and once, so that serving it costs nothing; or quickly, for one reader. */
export async function precompress(
  type: string,
  text: string,
  { quickly = false } = {},
): Promise<PrecompressedFile> {
  const identity = Buffer.from(text)
  const quality = quickly ? QUICK : BEST
  const [br, gz] = await Promise.all([
    toBrotli(identity, { params: { [BROTLI_PARAM_QUALITY]: quality.brotli } }),
    toGzip(identity, { level: quality.gzip }),
  ])
  const etag = createHash('sha256').update(identity).digest('base64url').slice(0, 22)
  return { type, etag, bodies: { br, gzip: gz, identity } }
}

/** Answers with a prepared body, or with 304 to who has it already. */
export function sendPrecompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, etag, bodies }: PrecompressedFile,
  status = 200,
): FastifyReply {
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  const tag = `W/"${etag}"`
  reply.header('cache-control', 'no-cache').header('etag', tag).header('vary', 'accept-encoding')
  if (status === 200 && holds(request.headers['if-none-match'], tag)) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.code(status).type(type).send(bodies[encoding])
}

function holds(ifNoneMatch: string | undefined, tag: string): boolean {
  return ifNoneMatch?.split(',').some((candidate) => candidate.trim() === tag) ?? false
}

/** The smallest encoding that the browser takes; `q=0` means that it does not. */
export function chooseEncoding(accepted: string | undefined): Encoding {
  const takes = (name: string) =>
    accepted?.split(',').some((part) => {
      const [coding, ...parameters] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/)
      return coding === name && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    })
  if (takes('br')) return 'br'
  return takes('gzip') ? 'gzip' : 'identity'
}
