import type { ComponentProps } from 'react'
import { Button } from '#web/ui/button.tsx'

/** A button in a list or beside it. */
export const CompactButton = (props: ComponentProps<typeof Button>) => (
  <Button size="compact" variant="secondary" {...props} />
)
