import type { DestinationStream } from 'pino'
import { prettyFactory } from 'pino-pretty'

const PINO_INFO = 30

type Terminal = { write(text: string): unknown }

/** A log for people. Until `endProgress`, lines of level info replace one another on one line. */
export type TerminalLog = DestinationStream & {
  show(step: string): void
  /** Clears the line of progress; from now on every line stays. */
  endProgress(): void
}

const MAX_WIDTH = 79 // One column less than a narrow terminal has.

/** @param options.showsProgress whether to show the steps of the start. Of several processes, one does. */
export function terminalLog(terminal: Terminal, { colorize = true, showsProgress = true } = {}): TerminalLog {
  const prettify = prettyFactory({
    colorize,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname,reqId,method,path,parameters,status,ms,network',
    messageFormat: (line, messageKey) => requestOf(line as LoggedRequest) ?? String(line[messageKey]),
  })
  let isStarting = showsProgress
  const clear = () => {
    if (isStarting) terminal.write('\r\x1b[2K')
  }
  const show = (step: string) => {
    clear()
    terminal.write(step.slice(0, MAX_WIDTH))
  }
  return {
    show,
    endProgress() {
      clear()
      isStarting = false
    },
    write(entry) {
      const line = withoutControls(entry)
      const { level, msg } = JSON.parse(line) as { level: number; msg: string }
      if (isStarting && level <= PINO_INFO) return show(msg)
      clear()
      terminal.write(prettify(line))
    },
  }
}

/**
 * Control characters in a line of JSON, escaped or not, except the line feed and the tab (`\n`, `\t`). An
 * escaped backslash is matched too, so that its second half is not taken for the beginning of an escape.
 */
const CONTROLS = /\\(?:[\\bfr]|u00[01][0-9a-f])|[\u007f-\u009f]/g

/** Replaces characters with which a text, such as a server's error, could control the terminal. */
const withoutControls = (line: string) =>
  line.replaceAll(CONTROLS, (found) => (found === String.raw`\\` ? found : '?'))

type LoggedRequest = { method: string; path: string; status?: number; ms: number }

/** A line of the access log in short; undefined for other lines. */
const requestOf = ({ method, path, status, ms }: LoggedRequest) =>
  status === undefined ? undefined : `${method} ${path} ${status}, ${ms} ms`
