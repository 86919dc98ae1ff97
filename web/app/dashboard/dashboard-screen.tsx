import { type ReactNode, useId, useState } from 'react'
import { DASHBOARD } from '#messages/dashboard-frame.js'
import { LAYOUT } from '#messages/layout.js'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { DOCS_PATH } from '#web/docs-path.ts'
import { ApiError, hasCode, isUnauthenticated } from '#web/features/api/api-error.ts'
import { RedirectTo } from '#web/features/session/redirect-to.tsx'
import { type Route, ROUTES } from '#web/routes.ts'
import { classes } from '#web/ui/classes.ts'
import { MainRegion } from '../main-region.tsx'
import { ScreenLink } from '../screen-link.tsx'
import { AlertsBanner } from './alerts-banner.tsx'

type DashboardScreenProps = {
  route: Route
  /** Why the screen's data failed to load, which `call` only logs. A refusal of access redirects. */
  error: unknown
  children: ReactNode
}

/** The frame of all dashboard screens. */
export function DashboardScreen({ route, error, children }: DashboardScreenProps) {
  if (isUnauthenticated(error)) return <RedirectTo to={ROUTES.login.path} />
  if (hasCode(error, 'two_factor_needed'))
    return <RedirectTo to={DASHBOARD_ROUTES.security.path} message={error.message} />
  if (error instanceof ApiError && error.status === 403) return <RedirectTo to={ROUTES.profile.path} />
  return (
    <MainRegion route={route} className="page min-h-svh pt-8">
      <DashboardNavigation current={route} />
      <AlertsBanner />
      {children}
    </MainRegion>
  )
}

function DashboardNavigation({ current }: { current: Route }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <nav aria-label={DASHBOARD.sections}>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="flex min-h-11 w-full items-center justify-between border-b-2 border-accent font-semibold sm:hidden"
      >
        {current.name}
        <span className="text-sm font-normal text-ink-soft">
          {isOpen ? DASHBOARD.hideSections : DASHBOARD.showSections}
        </span>
      </button>
      <ul
        className={classes(
          'grid-cols-2 gap-x-4 sm:-mx-3 sm:flex sm:flex-wrap sm:gap-1',
          isOpen ? 'grid' : 'hidden',
        )}
      >
        {Object.values(DASHBOARD_ROUTES).map(({ path, name }) => (
          <li key={path}>
            <ScreenLink
              href={path}
              aria-current={path === current.path ? 'page' : undefined}
              className={linkStyle(path === current.path)}
            >
              {name}
            </ScreenLink>
          </li>
        ))}
        <li>
          {/* Not a screen of this application, so the link loads a page. */}
          <a href={DOCS_PATH} className={linkStyle(false)}>
            {LAYOUT.docs}
          </a>
        </li>
      </ul>
    </nav>
  )
}

const linkStyle = (isCurrent: boolean) =>
  classes(
    'flex min-h-11 items-center border-b-2 font-semibold sm:px-3 lg:min-h-9',
    isCurrent ? 'border-accent' : 'border-transparent text-ink-soft hover:text-ink',
  )

type DashboardSectionProps = { title: string; aside?: ReactNode; children: ReactNode }

/** A section of a screen, below a ruled heading. @param props.aside shown at the end of the heading. */
export function DashboardSection({ title, aside, children }: DashboardSectionProps) {
  return (
    <section className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b-2 border-ink pb-2">
        <h2 className="text-xl">{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  )
}

type TitledSectionProps = { title: string; className?: string; children: ReactNode }

export function TitledSection({ title, className, children }: TitledSectionProps) {
  const headingId = useId()
  return (
    <section aria-labelledby={headingId} className={className}>
      <h2 id={headingId} className="text-xl">
        {title}
      </h2>
      {children}
    </section>
  )
}
