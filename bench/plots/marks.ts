import type { Marked, PrintedMark } from '../report.ts'
import { frame, MARGIN, round, rule, text, TOP, WIDTH } from './frame.ts'

/** In pixels. */
const ROW_HEIGHT = 24
const LABEL_WIDTH = 330
/** Bars for larger factors are cut off. */
const MAX_FACTOR = 4
/** To each side of the line that stands for the marks. */
const MAX_BAR_WIDTH = (WIDTH - 2 * MARGIN - LABEL_WIDTH) / 2

export type MarkBar = { what: string; mark: PrintedMark }

/**
 * A mark is the bound that a figure should meet. Draws bars from a line that stands for the marks: to the
 * right for those met, to the left for those missed.
 */
export function drawMarks(title: string, marks: readonly MarkBar[]): string {
  const line = MARGIN + LABEL_WIDTH + MAX_BAR_WIDTH
  const body = marks.flatMap(({ what, mark: figure }, index) => {
    const y = TOP + 8 + index * ROW_HEIGHT
    const { isMet } = figure
    const distance = Math.min(1, Math.abs(Math.log(headroom(figure))) / Math.log(MAX_FACTOR))
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
    description: marks.map(({ what, mark: { printed } }) => `${what}: ${printed}`),
    height: height + MARGIN,
    body: [...body, rule(line, TOP, line, height, 'axis')],
  })
}

/** The factor by which a figure is better than its bound: at least 1 if the mark is met, and never 0. */
const headroom = ({ value, mark }: Marked) =>
  Math.max(1e-9, 'atLeast' in mark ? value / mark.atLeast : mark.atMost / Math.max(value, 1e-9))

const shorten = (what: string) => (what.length <= 48 ? what : `${what.slice(0, 47)}…`)
