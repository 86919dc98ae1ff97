/** Reads server-sent events. Calls `onEvents` once for each chunk that completes a line with data. */
export async function watchEvents(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  onEvents: () => void,
): Promise<void> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader()
  /** The beginning of a line that the network has cut. */
  let unfinished = ''
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    const lines = (unfinished + chunk.value).split('\n')
    unfinished = lines.pop() ?? ''
    if (lines.some((line) => line.startsWith('data:'))) onEvents()
  }
}

/**
 * Wraps a task so that its runs do not overlap. All calls during a run share the next run. If each event
 * restarted a refetch, it would never finish while events arrive faster than the server replies.
 * @param task must not reject
 */
export function runSerially(task: () => Promise<unknown>): () => void {
  let isWanted = false
  let isRunning = false
  const run = async () => {
    isRunning = true
    while (isWanted) {
      isWanted = false
      await task()
    }
    isRunning = false
  }
  return () => {
    isWanted = true
    if (!isRunning) void run()
  }
}
