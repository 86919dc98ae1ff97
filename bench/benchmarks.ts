import type { Options, Report } from './report.ts'

type Benchmark = (options: Options) => Promise<Report | readonly Report[]>

/** In running order. Each is imported on demand, so that a broken benchmark does not stop the others. */
export const BENCHMARKS: Record<string, () => Promise<Benchmark>> = {
  generator: async () => (await import('./benchmarks/generator.ts')).generator,
  pages: async () => (await import('./benchmarks/pages.ts')).pages,
  answers: async () => (await import('./benchmarks/answers.ts')).answers,
  board: async () => (await import('./benchmarks/board.ts')).board,
  review: async () => (await import('./benchmarks/review.ts')).review,
  claims: async () => (await import('./benchmarks/claims.ts')).claims,
  slots: async () => (await import('./benchmarks/slots.ts')).slots,
  overload: async () => (await import('./benchmarks/overload.ts')).overload,
  streams: async () => (await import('./benchmarks/streams.ts')).streams,
  start: async () => (await import('./benchmarks/start.ts')).start,
  logins: async () => (await import('./benchmarks/logins.ts')).logins,
  fairness: async () => (await import('./benchmarks/fairness.ts')).fairness,
  merkle: async () => (await import('./benchmarks/merkle.ts')).merkle,
  peers: async () => (await import('./benchmarks/peers.ts')).peers,
}
