import type { User } from '#contract/entities.ts'
import { TASK_STATUS } from '#web/content/profile.ts'
import type { StampTone } from '#web/ui/stamp.tsx'

/** Label and stamp tone of the user's claim. */
export function taskStatus({ isTaskCompleted, taskId }: User): { text: string; tone: StampTone } {
  if (!isTaskCompleted) return { text: TASK_STATUS.notSubmitted, tone: 'ink' }
  if (taskId?.approved) return { text: TASK_STATUS.approved, tone: 'proof' }
  if (taskId?.underReview) return { text: TASK_STATUS.underReview, tone: 'signal' }
  return { text: TASK_STATUS.submitted, tone: 'ink' }
}
