import { linkSync, mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Does the work while no other process of this checkout does any under this lock. The lock is a file
 * that names its holder; one whose holder is dead counts for nothing.
 */
export async function alone(root, work) {
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
  const mine = `${process.pid} ${startOf(process.pid)}`
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, mine)
  let told = false
  try {
    for (;;) {
      if (tryTo(() => linkSync(draft, file))) return () => read(file) === mine && unlinkSync(file)
      const holder = read(file)
      if (holder !== undefined && isDead(holder)) remove(file, holder)
      else if (!told)
        console.log(`Waiting for another set-up of this checkout (process ${holder?.split(' ')[0]})`)
      told = true
      await pause(100)
    }
  } finally {
    unlinkSync(draft)
  }
}

/** Two waiters may find the same dead holder: moving first shows whether it still was that one. */
function remove(file, dead) {
  const grave = `${file}.${process.pid}.dead`
  if (!tryTo(() => renameSync(file, grave))) return
  if (read(grave) !== dead) tryTo(() => linkSync(grave, file))
  unlinkSync(grave)
}

function isDead(holder) {
  const [pid, start] = holder.split(' ')
  return !tryTo(() => process.kill(Number(pid), 0), 'ESRCH') || startOf(pid) !== start
}

/** When a process began, so that a pid that was given out again is not taken for it. Unknown on macOS. */
function startOf(pid) {
  const status = read(`/proc/${pid}/stat`)
  return status?.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? '-'
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Whether it went well; with a code, only that error counts as a failure. */
function tryTo(act, code) {
  try {
    act()
    return true
  } catch (error) {
    return code !== undefined && error.code !== code
  }
}
