/**
 * Reads a reply as text; undefined once it exceeds `maxBytes`, without waiting for the rest. Counts bytes after
 * decompression, so a small compressed reply cannot exhaust memory.
 */
export async function readCapped(reply: Response, maxBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop early cancels the stream and closes the connection.
  for await (const chunk of reply.body ?? []) {
    size += chunk.length
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
