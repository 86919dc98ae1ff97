const WIDTH = 24
const CLEAR = '\r\x1b[2K'

/** Shows progress on one line of a terminal; elsewhere nothing, so that logs stay short. */
export function showProgress(what: string, done: number, total: number | null): void {
  if (!process.stderr.isTTY) return
  const share = total === null || total === 0 ? 0 : Math.min(1, done / total)
  const bar = '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '·')
  const amount =
    total === null
      ? done.toLocaleString('en')
      : `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`
  process.stderr.write(`${CLEAR}${bar} ${what}, ${amount}`)
}

/** Clears the line. */
export function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write(CLEAR)
}
