import type { Options, Report } from './report.ts'

type Benchmark = (options: Options) => Promise<Report | readonly Report[]>

/** In the order in which they run. Loaded one at a time: a broken one does not prevent the others. */
export const BENCHMARKS: Record<string, () => Promise<Benchmark>> = {
  generator: async () => (await import('./generator.ts')).generator,
  pages: async () => (await import('./pages.ts')).pages,
  answers: async () => (await import('./answers.ts')).answers,
  board: async () => (await import('./board.ts')).board,
  review: async () => (await import('./review.ts')).review,
  claims: async () => (await import('./claims.ts')).claims,
  slots: async () => (await import('./slots.ts')).slots,
  overload: async () => (await import('./overload.ts')).overload,
  streams: async () => (await import('./streams.ts')).streams,
  start: async () => (await import('./start.ts')).start,
  logins: async () => (await import('./logins.ts')).logins,
  fairness: async () => (await import('./fairness.ts')).fairness,
  merkle: async () => (await import('./merkle.ts')).merkle,
  peers: async () => (await import('./peers.ts')).peers,
}
