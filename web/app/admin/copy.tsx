import type { ComponentProps } from 'react'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { CopyButton } from '#web/ui/copy-button.tsx'

type CopyProps = Omit<ComponentProps<typeof CopyButton>, 'label' | 'copiedLabel'> & { label?: string }

/** Copies a text of the dashboard. */
export const Copy = ({ label = DASHBOARD_WORDS.copy, ...button }: CopyProps) => (
  <CopyButton label={label} copiedLabel={DASHBOARD_WORDS.copied} {...button} />
)
