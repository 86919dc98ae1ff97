import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { CopyButton } from '#web/ui/copy-button.tsx'

const SHOWN_FOR_MS = 2_000

/** A command to run on the server. */
export function Command({ text }: { text: string }) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <code className="min-w-0 rounded-sm border border-hairline bg-paper px-3 py-2 text-sm break-words">
        {text}
      </code>
      <CopyButton
        text={text}
        label={DASHBOARD_WORDS.copy}
        of={text}
        copiedLabel={DASHBOARD_WORDS.copied}
        shownFor={SHOWN_FOR_MS}
      />
    </div>
  )
}
