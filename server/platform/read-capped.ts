/**
 * The text of a reply, or undefined as soon as it turns out longer than `maxBytes`: the rest is not
 * waited for. Counted unpacked, so that a small compressed reply cannot fill the memory.
 */
export async function readCapped(reply: Response, maxBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels the stream, which closes the connection.
  for await (const chunk of reply.body ?? []) {
    size += chunk.length
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
