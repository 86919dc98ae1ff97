export type ReceivedResponse = {
  status: number
  closesConnection: boolean
  /** Only for status 503. */
  retryAfterSeconds?: number
}

/**
 * Reads the responses of one HTTP/1.1 connection, without their bodies.
 * @param onResponse called at the end of each response
 * @returns a function to call with each piece of data
 */
export function responseReader(onResponse: (response: ReceivedResponse) => void): (chunk: Buffer) => void {
  let unread: Buffer = Buffer.alloc(0)
  let response: ReceivedResponse | undefined
  /** Bytes to skip: the rest of the body or, if it is chunked, of the chunk and its line end. */
  let bytesLeft = 0
  let isChunked = false

  /** @returns false if more data has to arrive first. */
  function step(): boolean {
    if (!response) return readHead()
    if (bytesLeft > 0) return skipBody()
    return readChunkSize()
  }

  function readHead(): boolean {
    const length = unread.indexOf('\r\n\r\n')
    if (length < 0) return false
    // Includes the last line end, which the patterns below need.
    const head = unread.toString('latin1', 0, length + 2)
    unread = unread.subarray(length + 4)
    const status = Number(head.slice(9, 12))
    if (status < 200) return true // An interim response, which the final one follows.
    response = { status, closesConnection: /\r\nconnection: close\r\n/i.test(head) }
    const wait = status === 503 ? /\r\nretry-after: (\d+)\r\n/i.exec(head)?.[1] : undefined
    if (wait !== undefined) response.retryAfterSeconds = Number(wait)
    isChunked = /\r\ntransfer-encoding: chunked\r\n/i.test(head)
    bytesLeft =
      status === 204 || status === 304 ? 0 : Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1] ?? 0)
    if (!isChunked && bytesLeft === 0) end()
    return true
  }

  function skipBody(): boolean {
    const skipped = Math.min(bytesLeft, unread.length)
    bytesLeft -= skipped
    unread = unread.subarray(skipped)
    if (bytesLeft > 0) return false
    if (!isChunked) end()
    return true
  }

  function readChunkSize(): boolean {
    const length = unread.indexOf('\r\n')
    if (length < 0) return false
    const size = Number.parseInt(unread.toString('latin1', 0, length), 16)
    // After its size, the last chunk has only an empty line. Other chunks have data and a line end.
    const consumed = length + 2 + (size === 0 ? 2 : 0)
    if (unread.length < consumed) return false
    unread = unread.subarray(consumed)
    if (size === 0) end()
    else bytesLeft = size + 2
    return true
  }

  function end() {
    const ended = response
    response = undefined
    isChunked = false
    if (ended) onResponse(ended)
  }

  return (chunk) => {
    unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk])
    while (unread.length > 0) if (!step()) return
  }
}
