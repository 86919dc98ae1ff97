import type { Marked, PrintedMark } from '../report.ts'
import { frame, MARGIN, round, rule, text, TOP, WIDTH } from './frame.ts'

/** Pixels. */
const ROW_HEIGHT = 24
const LABEL_WIDTH = 330
/** The factor beyond which a bar is cut off. */
const MAX_FACTOR = 4
/** Of the bars on either side of the line. */
const MAX_BAR_WIDTH = (WIDTH - 2 * MARGIN - LABEL_WIDTH) / 2

/** A mark and what it is about. */
export type MarkBar = { what: string; mark: PrintedMark }

/** All marks around the line that they have to reach: to the right what meets it, to the left what misses. */
export function drawMarks(title: string, marks: readonly MarkBar[]): string {
  const line = MARGIN + LABEL_WIDTH + MAX_BAR_WIDTH
  const body = marks.flatMap(({ what, mark }, index) => {
    const y = TOP + 8 + index * ROW_HEIGHT
    const { isMet } = mark
    const distance = Math.min(1, Math.abs(Math.log(headroom(mark))) / Math.log(MAX_FACTOR))
    const width = Math.max(2, distance * MAX_BAR_WIDTH)
    return [
      text(MARGIN, y + 14, shorten(what), isMet ? '' : 'class="strong"'),
      `<rect x="${round(isMet ? line : line - width)}" y="${y + 2}" width="${round(width)}" height="${ROW_HEIGHT - 8}" rx="3" class="${isMet ? 'met' : 'missed'}"/>`,
      text(
        isMet ? line - 6 : line + 6,
        y + 14,
        isMet ? 'met' : 'missed',
        `class="figure soft" text-anchor="${isMet ? 'end' : 'start'}"`,
      ),
    ]
  })
  const height = TOP + 8 + marks.length * ROW_HEIGHT
  return frame({
    title,
    subtitle: `How far each figure is from its mark, logarithmic, up to a factor of ${MAX_FACTOR}`,
    description: marks.map(({ what, mark }) => `${what}: ${mark.printed}`),
    height: height + MARGIN,
    body: [...body, rule(line, TOP, line, height, 'axis')],
  })
}

/** The factor by which a figure is better than its bound: from 1 on, the mark is met. */
const headroom = ({ value, mark }: Marked) =>
  Math.max(1e-9, 'atLeast' in mark ? value / mark.atLeast : mark.atMost / Math.max(value, 1e-9))

const shorten = (what: string) => (what.length <= 48 ? what : `${what.slice(0, 47)}…`)
