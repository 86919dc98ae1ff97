import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Task } from '#contract/entities.ts'
import { approveClaim } from '#contract/tasks.ts'
import { DASHBOARD } from '#web/content/dashboard.ts'
import { call } from '#web/features/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { CAMPAIGN } from '../campaign-data.ts'

const { tasks, pointsPerTask } = CAMPAIGN.airdrop
const GRANTED = tasks.length * pointsPerTask

/** Approves a claim with the campaign's amounts; stays busy until the list has been loaded again. */
export function VerifyButton({ task, describedBy }: { task: Task; describedBy: string }) {
  const queries = useQueryClient()
  const verify = useMutation({
    mutationFn: () =>
      call(approveClaim, {
        params: { taskId: task._id },
        body: { pfPoints: GRANTED, plsPoints: GRANTED },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['submissions'] }),
    onError: () => alert(DASHBOARD.verifyFailed),
  })

  return (
    <Button
      size="compact"
      variant="secondary"
      disabled={task.approved || verify.isPending}
      aria-busy={verify.isPending}
      aria-describedby={describedBy}
      className={classes('min-w-32', task.approved && 'disabled:border-proof disabled:text-proof')}
      onClick={() => verify.mutate()}
    >
      {label(task.approved, verify.isPending)}
    </Button>
  )
}

function label(approved: boolean, verifying: boolean): string {
  if (approved) return DASHBOARD.verified
  return verifying ? DASHBOARD.verifying : DASHBOARD.verify
}
