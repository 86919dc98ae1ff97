import { COPY } from '#web/content/copy.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'

/** Copies the value of a row; `label` names the row. */
export function CopyFact({ label, value }: { label: string; value: string }) {
  return (
    <CopyButton
      text={value}
      label={COPY.copy}
      of={label}
      copiedLabel={COPY.copied}
      shownFor={COPY.shownForMs}
      variant="quiet"
      className="needs-script min-w-16"
    />
  )
}
