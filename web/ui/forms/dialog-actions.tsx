import { Button } from '#web/ui/button.tsx'

type DialogActionsProps = {
  /** The verb of the button that submits. */
  yes: string
  cancel: string
  pending: boolean
  onCancel: () => void
}

/** The two buttons at the foot of a form in a dialog. */
export function DialogActions({ yes, cancel, pending, onCancel }: DialogActionsProps) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button type="submit" pending={pending}>
        {yes}
      </Button>
      <Button variant="secondary" onClick={onCancel}>
        {cancel}
      </Button>
    </div>
  )
}
