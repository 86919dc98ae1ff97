import { createLog } from '#server/platform/log/log.ts'

type Line = { level: number; msg: string; event?: string; outcome?: string } & Record<string, unknown>

export function logLines(level = 'info') {
  const written: string[] = []
  const log = createLog(level, { write: (line: string) => void written.push(line) })
  const lines = () => written.map((line) => JSON.parse(line) as Line)
  return {
    log,
    text: () => written.join(''),
    lines,
    /** The security events so far, as `login failed`. */
    events: () => lines().flatMap(({ event, outcome }) => (event ? [`${event} ${outcome}`] : [])),
  }
}
