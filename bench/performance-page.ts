import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { BENCHMARKS } from './benchmarks.ts'
import { drawBars } from './plots/bars.ts'
import { drawLines } from './plots/lines.ts'
import { drawMarks, type MarkBar } from './plots/marks.ts'
import { type BenchmarkRecord, markRows } from './record.ts'
import { formatNumber, gridOf, type Lines, parseMark, type Report, type Row } from './report.ts'

const DOCS = path.resolve(import.meta.dirname, '../docs')
const PAGE = path.join(DOCS, 'performance.md')
/** Relative to the page. */
const IMAGES = 'images/performance'

/** Replaces the results of these benchmarks and their plots in docs/performance.md. */
export async function writePerformancePage(records: readonly BenchmarkRecord[]): Promise<void> {
  const { page, images } = renderPage(await readFile(PAGE, 'utf8'), records)
  await mkdir(path.join(DOCS, IMAGES), { recursive: true })
  for (const [name, svg] of images) await writeFile(path.join(DOCS, IMAGES, `${name}.svg`), svg)
  await writeFile(PAGE, page)
}

type Rendered = { page: string; images: Map<string, string> }

/**
 * Replaces the part of each of these benchmarks, between `<!-- NAME -->` and `<!-- /NAME -->`, and their rows
 * in the part `marks`. Other benchmarks keep their part and rows. If all benchmarks ran, also replaces the
 * part `machine`. A benchmark without a part gets one at the end.
 */
export function renderPage(page: string, records: readonly BenchmarkRecord[]): Rendered {
  const images = new Map<string, string>()
  const ran = new Set(records.map(({ name }) => name))
  const haveAllRun = Object.keys(BENCHMARKS).every((name) => ran.has(name))
  let rendered = haveAllRun ? replacePart(page, 'machine', machinePart(records)) : page
  const pageMachine = partBetween(rendered, 'machine')
  rendered = replacePart(rendered, 'marks', marksPart(partBetween(rendered, 'marks'), records, images))
  for (const record of records)
    rendered = replacePart(rendered, record.name, benchmarkPart(record, pageMachine, images))
  return { page: rendered, images }
}

/** The text between the comments of this name; empty if there are none. */
function partBetween(page: string, name: string): string {
  const begin = `<!-- ${name} -->`
  const from = page.indexOf(begin)
  const to = page.indexOf(`<!-- /${name} -->`)
  return from >= 0 && to > from ? page.slice(from + begin.length, to) : ''
}

function replacePart(page: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const previous = begin + partBetween(page, name) + end
  const part = `${begin}\n\n${content}\n\n${end}`
  if (page.includes(previous)) return page.replace(previous, () => part) // The part may contain “$”.
  return `${page.trimEnd()}\n\n## ${name.charAt(0).toUpperCase()}${name.slice(1)}\n\n${part}\n`
}

function machinePart(records: readonly BenchmarkRecord[]): string {
  const newest = records.toSorted((a, b) => a.at.localeCompare(b.at)).at(-1)
  if (!newest) return ''
  const { versions, seed } = newest
  const minutes = Math.ceil(records.reduce((sum, { seconds }) => sum + seconds, 0) / 60)
  return markdownTable([
    ...machineRows(newest),
    { machine: 'commit, seed', is: `${versions.commit}, ${seed}` },
    { machine: 'date', is: `${newest.at.slice(0, 10)}; all benchmarks together took ${minutes} min` },
  ])
}

/** The figures of two runs can be compared only if these rows are the same. */
function machineRows({ machine, versions }: BenchmarkRecord) {
  return [
    { machine: 'processor', is: `${machine.cpu}, ${machine.cores} cores` },
    { machine: 'memory', is: `${machine.memoryGb} GB` },
    { machine: 'kernel', is: machine.kernel },
    { machine: 'Node, PostgreSQL', is: `${versions.node}, ${versions.postgresql}` },
  ]
}

const MARKS_HEADER = '| benchmark | what | figure | value | why |\n| --- | --- | --- | ---: | --- |'

/**
 * @param previous the part so far; rows of benchmarks that did not run now are kept
 * @param images gets the plot
 */
function marksPart(
  previous: string,
  records: readonly BenchmarkRecord[],
  images: Map<string, string>,
): string {
  const ran = new Set(records.map(({ name }) => name))
  const kept = previous.split('\n').filter((line) => !ran.has(cellsOf(line)[0] ?? ''))
  const fresh = markdownTable(markRows(records)).split('\n')
  const lines = Object.keys(BENCHMARKS).flatMap((name) =>
    [...kept, ...fresh].filter((line) => cellsOf(line)[0] === name),
  )
  const marks = lines.map(markIn)
  images.set('marks', drawMarks('All marks', marks))
  return [
    `${marks.filter(({ mark }) => mark.isMet).length} of ${marks.length} marks are met.`,
    image('marks', 'How far each figure is from its mark'),
    [MARKS_HEADER, ...lines].join('\n'),
  ].join('\n\n')
}

/** Turns a row of the table of marks into a bar of its plot. */
function markIn(line: string): MarkBar {
  const [benchmark = '', what = '', figure = '', value = ''] = cellsOf(line)
  const mark = parseMark(value)
  if (!mark) throw new Error(`This row of the table of marks has no mark: ${line}`)
  return { what: `${benchmark}: ${what}, ${figure}`, mark }
}

/** @param images gets the plots */
function benchmarkPart(record: BenchmarkRecord, pageMachine: string, images: Map<string, string>): string {
  const { name, reports } = record
  const parts = reports.flatMap((report, index) => {
    const plots = [...(report.plots ?? []), ...growthPlot(`${name}-growth-${index + 1}`, report)]
    for (const plot of plots) images.set(plot.name, plot.kind === 'bars' ? drawBars(plot) : drawLines(plot))
    return [
      `**${report.title}**`,
      markdownTable(report.rows),
      ...plots.map((plot) => image(plot.name, plot.title)),
      ...(report.notes.length > 0 ? [report.notes.join(' ')] : []),
    ]
  })
  return [...parts, measuredOn(record, pageMachine)].join('\n\n')
}

/** When and at which commit a benchmark ran, and on which machine if it is not the page's. */
function measuredOn(record: BenchmarkRecord, pageMachine: string): string {
  const { at, versions, quick } = record
  const rows = machineRows(record)
  const isSameMachine =
    pageMachine === '' || rows.every((row) => pageMachine.includes(lineOf([row.machine, row.is])))
  const where = rows.map(({ machine, is }) => `${machine} ${is}`).join('; ')
  return [
    `Measured on ${at.slice(0, 10)} at ${versions.commit}`,
    ...(isSameMachine ? [] : [`, not on the machine above (${where})`]),
    ...(quick ? [', with smaller numbers (`--quick`)'] : []),
    '.',
  ].join('')
}

/** A plot of the rows that have a `factor`. Each figure is divided by the row's first figure. */
function growthPlot(name: string, { title, rows }: Report): Lines[] {
  const growing = rows.filter((row) => 'factor' in row)
  const lines = growing.map((row) => {
    const figures = Object.entries(row).flatMap(([column, value]) => {
      const size = sizeOf(column)
      return size > 0 && typeof value === 'number' ? [[size, value] as const] : []
    })
    const first = figures[0]?.[1] ?? 1
    return {
      series: cellText(Object.values(row)[0]),
      points: figures.map(([size, value]) => [size, value / first] as const),
    }
  })
  if (lines.length === 0 || lines.some(({ points }) => points.length < 2)) return []
  const unit = 'Each figure relative to the smallest campaign'
  return [{ kind: 'lines', name, title, unit, xLabel: 'participants', lines }]
}

/** The inverse of `shortNumber`: 10,000 for "10 k"; 0 for other texts. */
function sizeOf(column: string): number {
  const [, digits = '0', suffix = ''] = /^([\d.,]+)(?: (k|M))?$/.exec(column) ?? []
  return Number(digits.replaceAll(',', '')) * ({ k: 1e3, M: 1e6 }[suffix] ?? 1)
}

const image = (name: string, alt: string) => `![${alt}; the table has its figures](${IMAGES}/${name}.svg)`

const cellText = (cell: Row[string] | undefined): string =>
  typeof cell === 'object' ? formatNumber(cell.value) : String(cell ?? '')

/** Numbers are right-aligned. */
function markdownTable(rows: readonly Row[]): string {
  const { lines, isNumber } = gridOf(rows)
  const [header, ...body] = lines.map(lineOf)
  const alignments = lineOf(isNumber.map((isRightAligned) => (isRightAligned ? '---:' : '---')))
  return [header, alignments, ...body].join('\n')
}

const lineOf = (cells: readonly string[]) =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

/** The cells of a line of a Markdown table; none for other text. */
function cellsOf(line: string): string[] {
  if (!line.startsWith('| ') || !line.endsWith(' |')) return []
  return line
    .slice(2, -2)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))
}
