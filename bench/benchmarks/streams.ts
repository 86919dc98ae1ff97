import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import campaign from '#server/testing/campaign.ts'
import { EVENTS_PATH } from '#contract/events.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { testDeps } from '#server/testing/deps.ts'
import { submitProof } from '#server/domain/claims/submission/submit-proof.ts'
import type { ListenerOptions } from './listeners.ts'
import { residentMb, startProduct } from '../product.ts'
import type { Options, Report } from '../report.ts'
import { quantile } from '../stopwatch.ts'
import { withDatabase } from '../temporary-database.ts'

const LISTENERS = 10_000
const APPROVALS = 5
/** The time before memory is measured. Longer than the interval of the pings. */
const QUIET_MS = 20_000

/**
 * Measures the memory per idle listener of one node, and the time from the commit of an approval until the
 * last listener has received it. Takes a minute and a half. Needs a hard limit of 10,500 open files, to which
 * Node raises its soft limit (`ulimit -Hn`).
 */
export function streams({ quick }: Options): Promise<Report> {
  const count = quick ? LISTENERS / 10 : LISTENERS
  return withDatabase(async ({ db, url, lifetime }) => {
    const { port, pid } = await startProduct(lifetime, url)
    const deps = await testDeps(db)
    const people = await createUsers(db, campaign.id, APPROVALS)
    const [boss] = await createUsers(db, campaign.id, 1, { role: 'admin' })
    const reviewer = reviewerOn(deps, boss)

    // The first streams load code and open the source of the events.
    const warmUp = await listen(port, 100)
    await pause(QUIET_MS)
    const before = await residentMb(pid)
    await warmUp.terminate()
    const listeners = await listen(port, count)
    await pause(QUIET_MS)
    const kbEach = (((await residentMb(pid)) - before) * 1024) / count

    const times: number[] = []
    for (const { id } of people) {
      const { _id: claimId } = await submitProof(deps, id, freshProof())
      // Waits for the events of the claim itself.
      await pause(1_000)
      times.push(await timeUntilHeard(listeners, () => reviewer.approve(claimId)))
    }
    await listeners.terminate()
    return {
      title: `${count.toLocaleString('en')} idle event streams of one node`,
      rows: [
        {
          what: 'listeners',
          'kB each': { value: kbEach, mark: { atMost: 20 }, whyMissed: WHY_MISSED },
          'until all heard an approval, ms': { value: quantile(times, 0.5), mark: { atMost: 1_000 } },
          'slowest of five, ms': Math.max(...times),
        },
      ],
      notes: ['Resident memory, with the headers that a browser sends, without the kernel’s socket buffers.'],
    }
  })
}

const WHY_MISSED =
  'JavaScript’s heap holds 16 of 24 kB: an open response of node:http with its socket, request and parser (about 9 kB), Fastify’s request and reply with the event handlers of a streamed reply (about 5 kB), and the headers. ' +
  'What helped: a body that writes to the response directly instead of through a PassThrough stream, together with a small young generation (from 47 to 24 kB), dropping the request’s headers, and no AbortController per request. Less would need streams outside Fastify.'

/** Resolves when all streams are open. */
async function listen(port: number, count: number): Promise<Worker> {
  const options: ListenerOptions = { port, count, path: `${EVENTS_PATH}?topics=leaderboard,slots` }
  const worker = new Worker(new URL('./listeners.ts', import.meta.url), { workerData: options })
  await once(worker, 'message')
  return worker
}

/** @returns milliseconds from the commit of an approval until each listener has received the event. */
async function timeUntilHeard(listeners: Worker, approve: () => Promise<unknown>): Promise<number> {
  listeners.postMessage('event: leaderboard')
  const allHeard = once(listeners, 'message') as Promise<[number]>
  await approve()
  const committedAt = performance.timeOrigin + performance.now()
  const [heardAt] = await allHeard
  return heardAt - committedAt
}
