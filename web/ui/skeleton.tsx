import { classes } from './classes.ts'

/** A placeholder during loading. Its classes set the size. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={classes('block rounded-sm bg-ink/10', className)} />
}
