import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import fresh from 'fresh'
import Negotiator from 'negotiator'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** In the order in which we prefer them. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const
type Encoding = (typeof ENCODINGS)[number]
type Compressed = Exclude<Encoding, 'identity'>

/** A `cache-control` for a URL that contains a hash of its content. */
export const CACHE_FOREVER = 'public, max-age=31536000, immutable'

type Headers = Readonly<Record<string, string>>
export type Reply = { status: number; headers: Headers; body?: Buffer }
/** The replies in one encoding: with the body, and 304 for a client that has it. */
type Variant = { full: Reply; unchanged: Reply }

/** One state of a public resource in every encoding. It never changes, so no response mixes two states. */
export type PublicAnswer = {
  etag: string
  /** The most that all variants take in memory. */
  bytes: number
  variants: { identity: Variant } & { [encoding in Compressed]?: Variant }
  /** Adds the variant of an encoding that is compressed on demand. */
  compress?: (encoding: Compressed) => Promise<void>
}

export type AnswerOptions = {
  type: string
  /** Including `cache-control`. */
  headers: Headers
  status?: number
  /**
   * `best` is for answers that are sent for as long as the process lives. Each encoding takes up to 20 ms, so
   * it is made for the first client that accepts it: few pages are asked for in every encoding.
   */
  compression: 'best' | 'fast'
}

/** Compression hardly shortens a smaller response. */
const MIN_COMPRESSED_BYTES = 1_024

/** Prepares a text to be sent many times. */
export async function createAnswer(text: string, about: AnswerOptions): Promise<PublicAnswer> {
  const identity = Buffer.from(text)
  if (identity.length < MIN_COMPRESSED_BYTES) return answerOf({ identity }, about)
  if (about.compression === 'best') return answerOnDemand(identity, about)
  const [br, gz] = await Promise.all([COMPRESS.fast.br(identity), COMPRESS.fast.gzip(identity)])
  return answerOf({ identity, br, gzip: gz }, about)
}

type Bodies = { identity: Buffer; br?: Buffer; gzip?: Buffer }

/** Like {@link createAnswer}, with bodies that are already compressed. */
export function answerOf(bodies: Bodies, about: Omit<AnswerOptions, 'compression'>): PublicAnswer {
  const { identity, br, gzip: gz } = bodies
  const etag = etagOf(identity)
  const variant = variantMaker(etag, about, br || gz ? { vary: 'accept-encoding' } : {})
  const variants = {
    identity: variant('identity', identity),
    ...(br && { br: variant('br', br) }),
    ...(gz && { gzip: variant('gzip', gz) }),
  }
  return { etag, bytes: identity.length + (br?.length ?? 0) + (gz?.length ?? 0), variants }
}

function answerOnDemand(identity: Buffer, about: AnswerOptions): PublicAnswer {
  const etag = etagOf(identity)
  const variant = variantMaker(etag, about, { vary: 'accept-encoding' })
  const variants: PublicAnswer['variants'] = { identity: variant('identity', identity) }
  const running: { [encoding in Compressed]?: Promise<void> } = {}
  const add = async (encoding: Compressed) => {
    try {
      variants[encoding] = variant(encoding, await COMPRESS.best[encoding](identity))
    } finally {
      delete running[encoding]
    }
  }
  return {
    etag,
    // Both encodings together are shorter than the text.
    bytes: 2 * identity.length,
    variants,
    compress: (encoding) => (running[encoding] ??= add(encoding)),
  }
}

/** 27 characters are more than 160 bits of the hash. */
const etagOf = (identity: Buffer) =>
  `"${createHash('sha256').update(identity).digest('base64url').slice(0, 27)}"`

function variantMaker(
  etag: string,
  { status = 200, headers, type }: Omit<AnswerOptions, 'compression'>,
  vary: Headers,
): (encoding: Encoding, body: Buffer) => Variant {
  return (encoding, body) => {
    const isIdentity = encoding === 'identity'
    // A strong ETag names one sequence of bytes, so two encodings cannot share it.
    const common = { ...headers, ...vary, etag: isIdentity ? etag : `W/${etag}` }
    const content = { 'content-type': type, ...(isIdentity ? {} : { 'content-encoding': encoding }) }
    const length = { 'content-length': String(body.length) }
    return {
      full: { status, headers: { ...common, ...content, ...length }, body },
      unchanged: { status: 304, headers: common },
    }
  }
}

const { BROTLI_PARAM_QUALITY } = constants

const COMPRESS = { best: compressor({ brotli: 11, gzip: 9 }), fast: compressor({ brotli: 4, gzip: 4 }) }

function compressor(quality: { brotli: number; gzip: number }) {
  return {
    br: (body: Buffer) => toBrotli(body, { params: { [BROTLI_PARAM_QUALITY]: quality.brotli } }),
    gzip: (body: Buffer) => toGzip(body, { level: quality.gzip }),
  }
}

/** The reply in the encoding that suits the client, or 304; undefined if that encoding has yet to be made. */
export function replyTo(headers: IncomingHttpHeaders, answer: PublicAnswer): Reply | undefined {
  const { etag, variants, compress } = answer
  const variant = variants[encodingOf(headers, answer)] ?? (compress ? undefined : variants.identity)
  if (!variant) return undefined
  const { full, unchanged } = variant
  const { 'if-none-match': copies } = headers
  if (copies === undefined || copies.length > MAX_HEADER_LENGTH || full.status !== 200) return full
  // Compares ETags weakly, because compressing proxies weaken them. For a reload, no copy is fresh.
  return fresh(headers, { etag }) ? unchanged : full
}

/** Like {@link replyTo}, but compresses the answer first where needed; uncompressed if that fails. */
export async function compressedReplyTo(headers: IncomingHttpHeaders, answer: PublicAnswer): Promise<Reply> {
  const encoding = encodingOf(headers, answer)
  if (encoding !== 'identity' && !answer.variants[encoding]) await answer.compress?.(encoding).catch(() => {})
  return replyTo(headers, answer) ?? answer.variants.identity.full
}

const encodingOf = (headers: IncomingHttpHeaders, { variants, compress }: PublicAnswer): Encoding =>
  variants.br || compress ? acceptedEncoding(headers) : 'identity'

/** Longer headers are ignored. Browsers send about thirty characters. The longest take 13 ms to parse. */
const MAX_HEADER_LENGTH = 200
/** Browsers send few different values of Accept-Encoding. */
const MAX_REMEMBERED = 100
const rememberedEncodings = new Map<string, Encoding>()

function acceptedEncoding(headers: IncomingHttpHeaders): Encoding {
  const accepted = headers['accept-encoding']
  if (accepted === undefined || accepted.length > MAX_HEADER_LENGTH) return 'identity'
  const known = rememberedEncodings.get(accepted)
  if (known !== undefined) return known
  const chosen = chooseEncoding(headers)
  if (rememberedEncodings.size >= MAX_REMEMBERED) rememberedEncodings.clear()
  rememberedEncodings.set(accepted, chosen)
  return chosen
}

/** The encoding with the client's highest quality; ties go to the first of ours. */
const chooseEncoding = (headers: IncomingHttpHeaders): Encoding =>
  new Negotiator({ headers }).encoding(ENCODINGS, { preferred: ENCODINGS }) ?? 'identity'
