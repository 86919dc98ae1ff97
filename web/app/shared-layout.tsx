import { type ReactNode, useEffect } from 'react'
import { useLocation } from '#web/features/navigation/location.ts'
import { Heartbeat } from '#web/features/heartbeat/heartbeat.tsx'
import { SideMenu } from '#web/features/layout/side-menu.tsx'
import { SiteFooter } from '#web/features/layout/site-footer.tsx'
import { SiteHeader } from '#web/features/layout/site-header.tsx'
import { animatePip } from '#web/features/pip/pip-alive.ts'
import { ThemeSwitch } from '#web/features/theme/theme-switch.tsx'
import { countView } from '#web/features/visits/count-view.ts'
import { CAMPAIGN } from './campaign-data.ts'
import { ScreenLink } from './screen-link.tsx'

export default function SharedLayout({ children }: { children?: ReactNode }) {
  const { pathname } = useLocation()
  useEffect(animatePip, [])
  useEffect(() => countView(pathname), [pathname])
  return (
    <>
      <SiteHeader
        campaign={CAMPAIGN}
        current={pathname}
        menu={<SideMenu current={pathname} path={pathname} screenLink={ScreenLink} />}
        screenLink={ScreenLink}
      />
      {children}
      <SiteFooter
        campaign={CAMPAIGN}
        path={pathname}
        themeSwitch={<ThemeSwitch />}
        heartbeat={<Heartbeat />}
        screenLink={ScreenLink}
      />
    </>
  )
}
