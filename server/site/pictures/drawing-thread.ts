import { MessageChannel, Worker } from 'node:worker_threads'
import { fromRoot } from '#server/platform/root.ts'
import type { DrawingJob } from './pictures.ts'

export type Drawn = { url: string; png: Uint8Array }

export type DrawingThread = {
  /** Draws the pictures of a job in turn. @throws when one could not be drawn, or the thread is closed. */
  draw(job: DrawingJob, onDrawn: (drawn: Drawn) => void): Promise<void>
  close(): Promise<void>
}

/**
 * Draws pictures in a worker thread that starts with its first job. Before the thread ends, it waits
 * `keepForMs` for another job, without keeping the process alive: starting and loading the fonts takes as
 * long as drawing twenty pictures.
 */
export function createDrawingThread(keepForMs: number): DrawingThread {
  let thread: Worker | undefined
  let idleTimer: NodeJS.Timeout | undefined
  let runningJobs = 0
  let isClosed = false

  function start(): Worker {
    const started = new Worker(fromRoot('server/site/pictures/draw-pictures.ts'))
    // A thread that has failed or ended gets no more jobs.
    for (const event of ['error', 'exit'])
      started.once(event, () => {
        if (thread === started) thread = undefined
      })
    return started
  }

  function waitForNextJob() {
    idleTimer = setTimeout(() => void end(), keepForMs).unref()
    thread?.unref()
  }

  async function end() {
    clearTimeout(idleTimer)
    const ending = thread
    thread = undefined
    await ending?.terminate()
  }

  return {
    async draw(job, onDrawn) {
      if (isClosed) throw new Error('The server is closing.')
      clearTimeout(idleTimer)
      thread ??= start()
      thread.ref()
      runningJobs += 1
      try {
        await runOn(thread, job, onDrawn)
      } finally {
        runningJobs -= 1
        if (runningJobs === 0) waitForNextJob()
      }
    },
    close() {
      isClosed = true
      return end()
    },
  }
}

/** Resolves once draw-pictures.ts has sent all pictures and `done`. */
function runOn(thread: Worker, job: DrawingJob, onDrawn: (drawn: Drawn) => void): Promise<void> {
  const { port1: port, port2: threadPort } = new MessageChannel()
  return new Promise<void>((resolve, reject) => {
    const onExit = (code: number) => reject(new Error(`The drawing thread ended with code ${code}.`))
    thread.once('error', reject)
    thread.once('exit', onExit)
    port.on('message', (message: Drawn | 'done') => {
      if (message !== 'done') return onDrawn(message)
      thread.off('error', reject)
      thread.off('exit', onExit)
      resolve()
    })
    thread.postMessage({ job, port: threadPort }, [threadPort])
  }).finally(() => port.close())
}
