/** Calls `onEvents` once for all events that arrive together: when a chunk completes a line with data. */
export async function watchEvents(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  onEvents: () => void,
): Promise<void> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader()
  /** The network may cut a line anywhere: its beginning waits here for the rest. */
  let unfinished = ''
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    const lines = (unfinished + chunk.value).split('\n')
    unfinished = lines.pop() ?? ''
    if (lines.some((line) => line.startsWith('data:'))) onEvents()
  }
}
