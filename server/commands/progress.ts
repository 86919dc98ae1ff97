const WIDTH = 24
const CLEAR = '\r\x1b[2K'

/** Shows progress on one line of a terminal; elsewhere nothing, so that logs stay short. */
export function showProgress(step: string, done: number, total: number | null): void {
  if (!process.stderr.isTTY) return
  const share = total === null || total === 0 ? 0 : Math.min(1, done / total)
  const bar = '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '·')
  const grouped = (count: number) => count.toLocaleString('en')
  const amount = total === null ? grouped(done) : `${grouped(done)} of ${grouped(total)}`
  process.stderr.write(`${CLEAR}${bar} ${step}, ${amount}`)
}

/** Clears the line that shows progress. */
export function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write(CLEAR)
}
