import { type ClaimStatus, isDecided } from '#contract/entities.ts'
import { DASHBOARD } from '#web/content/dashboard.ts'
import { CARD } from '#web/content/review.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'

type VerifyButtonProps = {
  status: ClaimStatus
  verifying: boolean
  disabled: boolean
  describedBy: string
  onVerify: () => void
}

/** Approves a claim and shows its status afterwards. */
export function VerifyButton({ status, verifying, disabled, describedBy, onVerify }: VerifyButtonProps) {
  return (
    <Button
      size="compact"
      variant="secondary"
      disabled={isDecided(status) || verifying || disabled}
      aria-busy={verifying}
      aria-describedby={describedBy}
      className={classes('min-w-32', status === 'approved' && 'disabled:border-proof disabled:text-proof')}
      onClick={onVerify}
    >
      {label(status, verifying)}
    </Button>
  )
}

function label(status: ClaimStatus, verifying: boolean): string {
  if (status === 'approved') return DASHBOARD.verified
  if (status === 'rejected') return CARD.status.rejected
  return verifying ? DASHBOARD.verifying : DASHBOARD.verify
}
