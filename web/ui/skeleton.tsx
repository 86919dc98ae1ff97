import { classes } from './classes.ts'

/** A grey bar in the place of what is still loading. Give it its size by classes. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={classes('block rounded-sm bg-ink/10', className)} />
}
