import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

type Encoding = 'br' | 'gzip' | 'identity'

/** A body held in memory in every encoding that browsers accept. */
export type PrecompressedFile = { type: string; etag: string; bodies: Record<Encoding, Buffer> }

const { BROTLI_PARAM_QUALITY } = constants
const BEST = { brotli: 11, gzip: 9 }
const FAST = { brotli: 4, gzip: 4 }

/** Compresses a text for serving many times; with `isFast`, less well, for a single reply. */
export async function precompress(
  type: string,
  text: string,
  { isFast = false } = {},
): Promise<PrecompressedFile> {
  const identity = Buffer.from(text)
  const quality = isFast ? FAST : BEST
  const [br, gz] = await Promise.all([
    toBrotli(identity, { params: { [BROTLI_PARAM_QUALITY]: quality.brotli } }),
    toGzip(identity, { level: quality.gzip }),
  ])
  const etag = createHash('sha256').update(identity).digest('base64url').slice(0, 22)
  return { type, etag, bodies: { br, gzip: gz, identity } }
}

/** Sends a precompressed body, or 304 when the client's copy is current. */
export function sendPrecompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, etag, bodies }: PrecompressedFile,
  status = 200,
): FastifyReply {
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  const tag = `W/"${etag}"`
  reply.header('cache-control', 'no-cache').header('etag', tag).header('vary', 'accept-encoding')
  if (status === 200 && matches(request.headers['if-none-match'], tag)) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.code(status).type(type).send(bodies[encoding])
}

function matches(ifNoneMatch: string | undefined, tag: string): boolean {
  return ifNoneMatch?.split(',').some((candidate) => candidate.trim() === tag) ?? false
}

/** The best encoding that the client accepts; `q=0` excludes one. */
export function chooseEncoding(accepted: string | undefined): Encoding {
  const accepts = (name: string) =>
    accepted?.split(',').some((part) => {
      const [coding, ...parameters] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/)
      return coding === name && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    })
  if (accepts('br')) return 'br'
  return accepts('gzip') ? 'gzip' : 'identity'
}
