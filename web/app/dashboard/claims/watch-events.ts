/** Calls `onEvents` once for all events that arrive together: when a chunk completes a line with data. */
export async function watchEvents(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  onEvents: () => void,
): Promise<void> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader()
  /** The beginning of a line that the network has cut; waits for the rest. */
  let unfinished = ''
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    const lines = (unfinished + chunk.value).split('\n')
    unfinished = lines.pop() ?? ''
    if (lines.some((line) => line.startsWith('data:'))) onEvents()
  }
}

/**
 * Wraps a task so that its runs do not overlap: calls during a run share the next one. A refetch that every
 * event restarted would never finish while events arrive faster than the server answers.
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
