import { COPY, SHARE } from '#messages/islands.js'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { ShareButton } from '#web/ui/share-button.tsx'

type CopyContractProps = { contract: string; label: string; showsAlert?: boolean }

/** Copies the token's contract address; `showsAlert` confirms it in a browser alert too. */
export function CopyContract({ contract, label, showsAlert }: CopyContractProps) {
  return (
    <CopyButton
      text={contract}
      label={label}
      copiedLabel={COPY.copied}
      className="needs-script"
      onCopied={showsAlert ? () => alert(COPY.contractCopied) : undefined}
    />
  )
}

/** Copies the value of a row; `label` names the row. */
export function CopyFact({ label, value }: { label: string; value: string }) {
  return (
    <CopyButton
      text={value}
      label={COPY.copy}
      contentName={label}
      copiedLabel={COPY.copied}
      variant="quiet"
      className="needs-script min-w-16"
    />
  )
}

/** Shares the home page. */
export function ShareSite({ title, text }: { title: string; text: string }) {
  return (
    <ShareButton
      share={{ title, text, url: '/' }}
      label={SHARE.share}
      copiedLabel={SHARE.copied}
      className="needs-script"
    />
  )
}
