import { linkSync, mkdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readText } from './fingerprint.mjs'

/**
 * Runs the work while holding the setup lock of this checkout, a file that names its holder. A lock whose
 * holder is dead is taken over.
 */
export async function withLock(root, work) {
  const file = path.join(root, '.cache', 'set-up.lock')
  mkdirSync(path.dirname(file), { recursive: true })
  const release = await acquire(file)
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}

async function acquire(file) {
  const self = `${process.pid} ${startOf(process.pid)}`
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, self)
  let hasLogged = false
  try {
    for (;;) {
      if (tryTo(() => linkSync(draft, file))) return () => removeOwn(file, self)
      const holder = readText(file)
      if (holder !== undefined && isDead(holder)) removeDead(file, holder)
      else if (holder !== undefined && !hasLogged) {
        console.log(`Waiting for another setup of this checkout to finish (process ${holder.split(' ')[0]})`)
        hasLogged = true
      }
      await pause(100)
    }
  } finally {
    unlinkSync(draft)
  }
}

function removeOwn(file, self) {
  if (readText(file) === self) unlinkSync(file)
}

/** Renames before deleting: if another waiter has since replaced the dead lock, the new one is put back. */
function removeDead(file, deadHolder) {
  const moved = `${file}.${process.pid}.dead`
  if (!tryTo(() => renameSync(file, moved))) return
  if (readText(moved) !== deadHolder) tryTo(() => linkSync(moved, file))
  unlinkSync(moved)
}

function isDead(holder) {
  const [pid, start] = holder.split(' ')
  return !tryTo(() => process.kill(Number(pid), 0), 'ESRCH') || startOf(pid) !== start
}

/** The place of the start time in `/proc/PID/stat`, among the fields after the name of the program. */
const START_FIELD = 19

/** The start time of a process, which tells it from a later one with the same pid. Unknown on macOS. */
function startOf(pid) {
  const status = readText(`/proc/${pid}/stat`)
  return status?.slice(status.lastIndexOf(')') + 2).split(' ')[START_FIELD] ?? '-'
}

/** Whether the action succeeded; with a code, only that error counts as a failure. */
function tryTo(action, code) {
  try {
    action()
    return true
  } catch (error) {
    return code !== undefined && error.code !== code
  }
}
