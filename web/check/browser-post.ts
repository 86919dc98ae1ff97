import type { Post } from '#contract/token-proofs/rpc.ts'

/** A request with its answer. If the answer is missing or too long, `status` is 0 and `answer` says why. */
export type Exchange = { request: string; status: number; answer: string; ms: number }

const TIMEOUT_MS = 15_000
const MAX_CHARACTERS = 2_000_000

/** Sends no cookies, follows no redirect, and reports each exchange when it is over. */
export function createBrowserPost(url: string, report: (exchange: Exchange) => void): Post {
  return async (body) => {
    const request = JSON.stringify(body)
    const startedAt = performance.now()
    const result = await send(url, request)
    const ms = Math.round(performance.now() - startedAt)
    if ('text' in result) report({ request, status: result.status, answer: result.text, ms })
    else report({ request, status: 0, answer: describeFailure(result.failure), ms })
    return result
  }
}

async function send(url: string, body: string): ReturnType<Post> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await readText(response)
    return text === undefined ? { failure: { kind: 'too_large' } } : { status: response.status, text }
  } catch (error) {
    // Browsers do not tell pages why a request failed, so as not to reveal the visitor's network.
    return { failure: { kind: 'unreachable', detail: error instanceof Error ? error.name : 'unknown' } }
  }
}

/** @returns undefined if the body is too long. */
async function readText({ body }: Response): Promise<string | undefined> {
  if (!body) return ''
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return text
    text += value
    if (text.length > MAX_CHARACTERS) {
      await reader.cancel()
      return undefined
    }
  }
}

const describeFailure = (failure: { kind: string; detail?: string }) => failure.detail ?? failure.kind
