import { execFileSync } from 'node:child_process'

/** Whether a process runs. False for zombies too: not every container reaps orphans. */
export function isRunning(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z')
  } catch {
    return false
  }
}
