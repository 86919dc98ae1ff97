import type { ComponentProps } from 'react'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { CopyButton } from '#web/ui/copy-button.tsx'

type CopyProps = Omit<ComponentProps<typeof CopyButton>, 'label' | 'copiedLabel' | 'shownForMs'> & {
  label?: string
}

/** Confirms for one second, the site's other buttons for two. */
export const Copy = ({ label = DASHBOARD_WORDS.copy, ...button }: CopyProps) => (
  <CopyButton label={label} copiedLabel={DASHBOARD_WORDS.copied} shownForMs={1_000} {...button} />
)

export function Command({ text }: { text: string }) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <code className="min-w-0 rounded-sm border border-hairline bg-paper px-3 py-2 text-sm break-words">
        {text}
      </code>
      <Copy text={text} contentName={text} />
    </div>
  )
}
