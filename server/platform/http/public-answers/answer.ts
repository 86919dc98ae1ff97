import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { chooseEncoding, isFresh } from '../negotiation.ts'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** In order of preference. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const
type Encoding = (typeof ENCODINGS)[number]

type Headers = Readonly<Record<string, string>>
/** A response as it is sent. */
export type Reply = { status: number; headers: Headers; body?: Buffer }
type Variant = { full: Reply; unchanged: Reply }

/**
 * One state of a public resource, ready to send in every encoding that browsers accept. It never changes, so that no
 * response mixes two states.
 */
export type PublicAnswer = {
  etag: string
  /** Held in memory. */
  bytes: number
  /** Without `br` and `gzip`, too short to be compressed. */
  variants: { identity: Variant; br?: Variant; gzip?: Variant }
}

export type AnswerOptions = {
  type: string
  /** With `cache-control`. */
  headers: Headers
  status?: number
  /** `best` for what is compressed once and sent as long as the process lives. */
  compression: 'best' | 'fast'
}

/** Bytes below which compression hardly shortens a response. */
const WORTH_COMPRESSING = 1_024

/** Prepares a text for sending it many times. */
export async function createAnswer(text: string, about: AnswerOptions): Promise<PublicAnswer> {
  const identity = Buffer.from(text)
  const isWorthIt = identity.length >= WORTH_COMPRESSING
  return answerOf({ identity, ...(isWorthIt && (await compress(identity, about.compression))) }, about)
}

/** The bytes of a resource in the encodings in which they exist. */
type Bodies = { identity: Buffer; br?: Buffer; gzip?: Buffer }

/** Prepares bytes for sending them many times. */
export function answerOf(bodies: Bodies, about: Omit<AnswerOptions, 'compression'>): PublicAnswer {
  const { identity, br, gzip: gz } = bodies
  const etag = `"${createHash('sha256').update(identity).digest('base64url').slice(0, 27)}"`
  const vary = br || gz ? { vary: 'accept-encoding' } : {}
  const variant = (encoding: Encoding, body: Buffer) =>
    variantOf(
      { ...about, headers: { ...about.headers, ...vary } },
      { 'content-type': about.type, ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }) },
      // A strong ETag names one sequence of bytes.
      encoding === 'identity' ? etag : `W/${etag}`,
      body,
    )
  const variants = {
    identity: variant('identity', identity),
    ...(br && { br: variant('br', br) }),
    ...(gz && { gzip: variant('gzip', gz) }),
  }
  return { etag, bytes: identity.length + (br?.length ?? 0) + (gz?.length ?? 0), variants }
}

const { BROTLI_PARAM_QUALITY } = constants
const QUALITY = { best: { brotli: 11, gzip: 9 }, fast: { brotli: 4, gzip: 4 } }

async function compress(body: Buffer, compression: 'best' | 'fast'): Promise<Omit<Bodies, 'identity'>> {
  const quality = QUALITY[compression]
  const [br, gz] = await Promise.all([
    toBrotli(body, { params: { [BROTLI_PARAM_QUALITY]: quality.brotli } }),
    toGzip(body, { level: quality.gzip }),
  ])
  return { br, gzip: gz }
}

function variantOf(
  { status = 200, headers }: Pick<AnswerOptions, 'status' | 'headers'>,
  content: Headers,
  etag: string,
  body: Buffer,
): Variant {
  const common = { ...headers, etag }
  const length = { 'content-length': String(body.length) }
  return {
    full: { status, headers: { ...common, ...content, ...length }, body },
    unchanged: { status: 304, headers: common },
  }
}

/** The response to a request with these headers: negotiated, or 304 if the client's copy is current. */
export function replyTo(headers: IncomingHttpHeaders, { etag, variants }: PublicAnswer): Reply {
  const { full, unchanged } = variants[variants.br ? encodingFor(headers) : 'identity'] ?? variants.identity
  if (headers['if-none-match'] === undefined || full.status !== 200) return full
  return isFresh(headers, etag) ? unchanged : full
}

/** Browsers send few different values of Accept-Encoding. */
const MAX_REMEMBERED = 100
const MAX_LENGTH = 100
const chosenEncodings = new Map<string, Encoding>()

function encodingFor(headers: IncomingHttpHeaders): Encoding {
  const accepted = headers['accept-encoding']
  if (accepted === undefined) return 'identity'
  const known = chosenEncodings.get(accepted)
  if (known !== undefined) return known
  const chosen = chooseEncoding(headers, ENCODINGS)
  if (chosenEncodings.size >= MAX_REMEMBERED) chosenEncodings.clear()
  if (accepted.length <= MAX_LENGTH) chosenEncodings.set(accepted, chosen)
  return chosen
}
