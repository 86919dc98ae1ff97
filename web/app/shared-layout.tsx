import { Suspense } from 'react'
import { Link, Outlet, useLocation } from 'react-router'
import type { ComponentProps } from 'react'
import { SideMenu } from '#web/features/layout/side-menu.tsx'
import { SiteFooter } from '#web/features/layout/site-footer.tsx'
import { SiteHeader } from '#web/features/layout/site-header.tsx'
import { ThemeSwitch } from '#web/features/theme/theme-switch.tsx'
import { Blank } from './blank.tsx'
import { CAMPAIGN } from './campaign-data.ts'

/** Header and footer around the screens that share them; they stay while a screen is fetched. */
export function SharedLayout() {
  const { pathname } = useLocation()
  return (
    <>
      <SiteHeader
        campaign={CAMPAIGN}
        current={pathname}
        menu={<SideMenu current={pathname} appLink={ScreenLink} />}
        appLink={ScreenLink}
      />
      <Suspense fallback={<Blank />}>
        <Outlet />
      </Suspense>
      <SiteFooter campaign={CAMPAIGN} themeSwitch={<ThemeSwitch />} appLink={ScreenLink} />
    </>
  )
}

function ScreenLink({ href = '', ...rest }: ComponentProps<'a'>) {
  return <Link to={href} {...rest} />
}
