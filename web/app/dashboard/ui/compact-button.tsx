import type { ComponentProps } from 'react'
import { Button } from '#web/ui/button.tsx'

export const CompactButton = (props: ComponentProps<typeof Button>) => (
  <Button size="compact" variant="secondary" {...props} />
)
