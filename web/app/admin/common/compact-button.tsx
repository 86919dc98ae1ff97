import type { ComponentProps } from 'react'
import { Button } from '#web/ui/button.tsx'

/** The usual button of lists and of the bars above them. */
export const CompactButton = (props: ComponentProps<typeof Button>) => (
  <Button size="compact" variant="secondary" {...props} />
)
