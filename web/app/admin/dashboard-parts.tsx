import { PARTS } from '#web/content/payout.ts'
import { ROUTES } from '#web/routes.ts'
import { classes } from '#web/ui/classes.ts'
import { ScreenLink } from '../screen-link.tsx'

const LINKS = [
  [ROUTES.dashboard.path, PARTS.claims],
  [ROUTES.payout.path, PARTS.payout],
] as const

/** The pages of the dashboard. */
export function DashboardParts({ current }: { current: string }) {
  return (
    <nav aria-label={PARTS.nav} className="-mx-3 flex flex-wrap gap-1">
      {LINKS.map(([path, name]) => (
        <ScreenLink
          key={path}
          href={path}
          aria-current={path === current ? 'page' : undefined}
          className={classes(
            'inline-flex min-h-11 items-center border-b-2 px-3 font-semibold lg:min-h-9',
            path === current ? 'border-signal' : 'border-transparent text-ink-soft hover:text-ink',
          )}
        >
          {name}
        </ScreenLink>
      ))}
    </nav>
  )
}
