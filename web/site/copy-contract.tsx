import { COPY } from '#web/content/copy.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'

/** Copies the token's contract address; `alerting` also shows a browser alert. */
export function CopyContract({
  contract,
  label,
  alerting = false,
}: {
  contract: string
  label: string
  alerting?: boolean
}) {
  return (
    <CopyButton
      text={contract}
      label={label}
      copiedLabel={COPY.copied}
      shownFor={COPY.shownForMs}
      className="needs-script"
      {...(alerting ? { onCopied: () => alert(COPY.contractCopied) } : {})}
    />
  )
}
