import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { drawBars } from './plots/bars.ts'
import { drawLines } from './plots/lines.ts'
import { drawMarks } from './plots/marks.ts'
import { type BenchmarkRecord, markRows } from './record.ts'
import { formatNumber, gridOf, isMet, type Lines, type Report, type Row } from './report.ts'

const DOCS = path.resolve(import.meta.dirname, '../docs')
const PAGE = path.join(DOCS, 'performance.md')
/** Relative to the page. */
const IMAGES = 'images/performance'

/** Replaces the generated parts of docs/performance.md, and the plots, by these results. */
export async function writePerformancePage(records: readonly BenchmarkRecord[]): Promise<void> {
  const { page, images } = renderPage(await readFile(PAGE, 'utf8'), records)
  await mkdir(path.join(DOCS, IMAGES), { recursive: true })
  for (const [name, svg] of images) await writeFile(path.join(DOCS, IMAGES, `${name}.svg`), svg)
  await writeFile(PAGE, page)
}

type Rendered = { page: string; images: Map<string, string> }

/**
 * Replaces what stands between `<!-- NAME -->` and `<!-- /NAME -->`, for each benchmark and for `marks` and `machine`.
 * A benchmark without a place gets one at the end.
 */
export function renderPage(page: string, records: readonly BenchmarkRecord[]): Rendered {
  const images = new Map<string, string>()
  let rendered = replacePart(page, 'machine', machineOf(records))
  rendered = replacePart(rendered, 'marks', marksPart(records, images))
  for (const record of records) rendered = replacePart(rendered, record.name, partOf(record, images))
  return { page: rendered, images }
}

function replacePart(page: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from >= 0 && to > from) return `${page.slice(0, from)}${begin}\n\n${content}\n\n${page.slice(to)}`
  return `${page.trimEnd()}\n\n## ${name.charAt(0).toUpperCase()}${name.slice(1)}\n\n${begin}\n\n${content}\n\n${end}\n`
}

function machineOf(records: readonly BenchmarkRecord[]): string {
  const last = records.toSorted((a, b) => a.at.localeCompare(b.at)).at(-1)
  if (!last) return ''
  const { machine, versions, seed } = last
  const minutes = Math.ceil(records.reduce((sum, { seconds }) => sum + seconds, 0) / 60)
  return markdownTable([
    { machine: 'processor', is: `${machine.cpu}, ${machine.cores} cores` },
    { machine: 'memory', is: `${machine.memoryGb} GB` },
    { machine: 'kernel', is: machine.kernel },
    { machine: 'Node, PostgreSQL', is: `${versions.node}, ${versions.postgresql}` },
    { machine: 'commit, seed', is: `${versions.commit}, ${seed}` },
    { machine: 'date', is: `${last.at.slice(0, 10)}; all benchmarks together took ${minutes} min` },
  ])
}

function marksPart(records: readonly BenchmarkRecord[], images: Map<string, string>): string {
  const rows = markRows(records)
  const marks = rows.flatMap(({ benchmark, what, figure, value }) =>
    typeof value === 'object'
      ? [{ what: `${cellText(benchmark)}: ${cellText(what)}, ${cellText(figure)}`, cell: value }]
      : [],
  )
  images.set('marks', drawMarks('All marks', marks))
  const met = marks.filter(({ cell }) => isMet(cell)).length
  return [
    `${met} of ${marks.length} marks are met.`,
    image('marks', 'How far each figure is from its mark'),
    markdownTable(rows),
  ].join('\n\n')
}

function partOf(
  { name, quick, versions, at, reports }: BenchmarkRecord,
  images: Map<string, string>,
): string {
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
  const date = `Measured on ${at.slice(0, 10)} at ${versions.commit}${quick ? ', with smaller numbers (`--quick`)' : ''}.`
  return [...parts, date].join('\n\n')
}

/** A plot of rows that `growthRow` made: every figure relative to the smallest campaign, where 1 is flat. */
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

/** The inverse of `shortNumber`: "10 k" is 10,000; 0 for other texts. */
function sizeOf(column: string): number {
  const [, digits, factor] = /^([\d.,]+)(?: (k|M))?$/.exec(column) ?? []
  const times = factor === 'M' ? 1e6 : factor === 'k' ? 1e3 : 1
  return Number(digits?.replaceAll(',', '') ?? 0) * times
}

const image = (name: string, alt: string) => `![${alt}; the table has its figures](${IMAGES}/${name}.svg)`

const cellText = (cell: Row[string] | undefined): string =>
  typeof cell === 'object' ? formatNumber(cell.value) : String(cell ?? '')

/** A table in Markdown, numbers to the right. */
export function markdownTable(rows: readonly Row[]): string {
  const { lines, isNumber } = gridOf(rows)
  const [header = [], ...body] = lines
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(header), line(isNumber.map((right) => (right ? '---:' : '---'))), ...body.map(line)].join('\n')
}
