import type { Marked, PrintedMark } from '../report.ts'
import { frame, MARGIN, round, rule, text, TOP, WIDTH } from './frame.ts'

const ROW = 24
const LABEL = 330
/** The factor beyond which a bar is cut off. */
const FURTHEST = 4
const HALF = (WIDTH - 2 * MARGIN - LABEL) / 2

/** A mark and what it is about. */
export type MarkBar = { what: string; mark: PrintedMark }

/** All marks around the line that they have to reach: to the right what meets it, to the left what misses. */
export function drawMarks(title: string, marks: readonly MarkBar[]): string {
  const line = MARGIN + LABEL + HALF
  const body = marks.flatMap(({ what, mark }, index) => {
    const y = TOP + 8 + index * ROW
    const { isMet } = mark
    const width = Math.max(2, Math.min(1, Math.abs(Math.log(headroom(mark))) / Math.log(FURTHEST)) * HALF)
    return [
      text(MARGIN, y + 14, shorten(what), isMet ? '' : 'class="strong"'),
      `<rect x="${round(isMet ? line : line - width)}" y="${y + 2}" width="${round(width)}" height="${ROW - 8}" rx="3" class="${isMet ? 'met' : 'missed'}"/>`,
      text(
        isMet ? line - 6 : line + 6,
        y + 14,
        isMet ? 'met' : 'missed',
        `class="figure soft" text-anchor="${isMet ? 'end' : 'start'}"`,
      ),
    ]
  })
  const height = TOP + 8 + marks.length * ROW
  return frame({
    title,
    subtitle: `How far each figure is from its mark, logarithmic, up to a factor of ${FURTHEST}`,
    description: marks.map(({ what, mark }) => `${what}: ${mark.printed}`),
    height: height + MARGIN,
    body: [...body, rule(line, TOP, line, height, 'axis')],
  })
}

/** From 1 on the mark is met, whichever its direction. */
const headroom = ({ value, mark }: Marked) =>
  Math.max(1e-9, 'atLeast' in mark ? value / mark.atLeast : mark.atMost / Math.max(value, 1e-9))

const shorten = (what: string) => (what.length <= 48 ? what : `${what.slice(0, 47)}…`)
