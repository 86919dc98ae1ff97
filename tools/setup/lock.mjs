import { linkSync, mkdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readText } from './fingerprint.mjs'

/** Runs the work while holding this checkout's setup lock, a file that names its holder. */
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

/** Renames before deleting: another waiter may have replaced the dead lock. Its new lock is put back. */
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

/** The index of the start time in `/proc/PID/stat`, counted from the field after the program's name. */
const START_FIELD = 19

/** When a process started, to tell it from a later process with the same pid. Unknown on macOS. */
function startOf(pid) {
  const status = readText(`/proc/${pid}/stat`)
  return status?.slice(status.lastIndexOf(')') + 2).split(' ')[START_FIELD] ?? '-'
}

/** Whether the action succeeded. With a `code`, only errors with that code count as failures. */
function tryTo(action, code) {
  try {
    action()
    return true
  } catch (error) {
    return code !== undefined && error.code !== code
  }
}
