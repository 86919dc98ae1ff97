export type ReceivedResponse = {
  status: number
  closesConnection: boolean
  /** Seconds, of a 503. */
  retryAfter?: number
}

/**
 * Reads the responses of one HTTP/1.1 connection, without their bodies.
 * @returns a function to call with each piece of data that arrives; `onResponse` is called at the end of each response.
 */
export function responseReader(onResponse: (response: ReceivedResponse) => void): (chunk: Buffer) => void {
  /** What has arrived and is not read yet. */
  let rest: Buffer = Buffer.alloc(0)
  let response: ReceivedResponse | undefined
  /** Bytes of the body still to skip; if it is chunked, those of the current chunk and its line end. */
  let left = 0
  let isChunked = false

  /** Each step returns false until enough data has arrived for it. */
  function step(): boolean {
    if (!response) return readHead()
    if (left > 0) return skipBody()
    return readChunkSize()
  }

  function readHead(): boolean {
    const at = rest.indexOf('\r\n\r\n')
    if (at < 0) return false
    const head = rest.toString('latin1', 0, at + 2)
    rest = rest.subarray(at + 4)
    const status = Number(head.slice(9, 12))
    if (status < 200) return true
    response = { status, closesConnection: /\r\nconnection: close\r\n/i.test(head) }
    const wait = status === 503 ? /\r\nretry-after: (\d+)\r\n/i.exec(head)?.[1] : undefined
    if (wait !== undefined) response.retryAfter = Number(wait)
    isChunked = /\r\ntransfer-encoding: chunked\r\n/i.test(head)
    left =
      status === 204 || status === 304 ? 0 : Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1] ?? 0)
    if (!isChunked && left === 0) end()
    return true
  }

  function skipBody(): boolean {
    const skipped = Math.min(left, rest.length)
    left -= skipped
    rest = rest.subarray(skipped)
    if (left > 0) return false
    if (!isChunked) end()
    return true
  }

  function readChunkSize(): boolean {
    const at = rest.indexOf('\r\n')
    if (at < 0) return false
    const size = Number.parseInt(rest.toString('latin1', 0, at), 16)
    // After its size, the last chunk has only an empty line; any other has its data and a line end.
    const consumed = at + 2 + (size === 0 ? 2 : 0)
    if (rest.length < consumed) return false
    rest = rest.subarray(consumed)
    if (size === 0) end()
    else left = size + 2
    return true
  }

  function end() {
    const ended = response
    response = undefined
    isChunked = false
    if (ended) onResponse(ended)
  }

  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (rest.length > 0 && step());
  }
}
