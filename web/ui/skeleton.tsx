import { classes } from './classes.ts'

export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={classes('block rounded-sm bg-ink/10', className)} />
}
