import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { chooseEncoding, isFresh } from '../platform/http/negotiation.ts'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

const ENCODINGS = ['br', 'gzip', 'identity'] as const

/** A body held in memory in every encoding that browsers accept. */
export type PrecompressedFile = {
  type: string
  etag: string
  bodies: Record<(typeof ENCODINGS)[number], Buffer>
}

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
  const encoding = chooseEncoding(request, ENCODINGS)
  const tag = `W/"${etag}"`
  reply.header('cache-control', 'no-cache').header('etag', tag).header('vary', 'accept-encoding')
  if (status === 200 && isFresh(request, tag)) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.code(status).type(type).send(bodies[encoding])
}
