import type { ReactNode } from 'react'
import { useLocation } from '#web/features/navigation/location.ts'
import { LanguageSwitch } from '#web/features/language/language-switch.tsx'
import { HomeLink } from '#web/features/layout/home-link.tsx'
import type { Route } from '#web/routes.ts'
import { Field, type FieldProps } from '#web/ui/forms/field.tsx'
import { Mascot } from '#web/ui/pip.tsx'
import { Pulse } from '#web/ui/pulse.tsx'
import { CAMPAIGN } from '../campaign-data.ts'
import { MainRegion } from '../main-region.tsx'
import { ScreenLink } from '../screen-link.tsx'

type AccountPageProps = { route: Route; title: string; lead: ReactNode; children: ReactNode }

export function AccountPage({ route, title, lead, children }: AccountPageProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="page flex h-(--header-height) items-center">
        <HomeLink name={CAMPAIGN.token.name} />
      </header>
      <MainRegion
        route={route}
        className="page grid flex-1 content-start gap-x-12 gap-y-8 pt-6 pb-16 lg:grid-cols-12 lg:content-center"
      >
        <div className="lg:col-span-6 lg:pt-4">
          <h1 className="text-3xl">{title}</h1>
          <p className="mt-4 max-w-[40ch] text-lg text-ink-soft">{lead}</p>
        </div>
        <div className="lg:col-span-5 lg:col-start-8">
          <Slip heading={route.name}>{children}</Slip>
        </div>
      </MainRegion>
      <div className="relative">
        <Mascot
          pose="waving"
          className="absolute bottom-3 h-36 max-lg:hidden lg:start-[max(18rem,calc(50%-16rem))]"
        />
        <Pulse beatAt="start" />
      </div>
      <div className="page py-4">
        <LanguageSwitch path={useLocation().pathname} />
      </div>
    </div>
  )
}

function Slip({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <div className="sheet">
      {/* The strip above the perforation: decoration, drawn with CSS content. */}
      <div
        aria-hidden="true"
        data-start={heading}
        data-end={CAMPAIGN.token.symbol}
        className="flex justify-between gap-4 perforated-bottom px-5 py-3 label before:content-[attr(data-start)] after:content-[attr(data-end)] sm:px-8"
      />
      <div className="px-5 py-6 sm:p-8">{children}</div>
    </div>
  )
}

export function UsernameField(props: Pick<FieldProps, 'label' | 'hint' | 'error'>) {
  return (
    <Field
      {...props}
      name="username"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      required
    />
  )
}

/** For a new account. In `EmailField`, browsers fill in the email under which they have stored a password. */
export function NewEmailField(props: Pick<FieldProps, 'label' | 'hint' | 'error'>) {
  return <Field {...props} name="email" type="email" autoComplete="email" required />
}

export function EmailField(props: Pick<FieldProps, 'label' | 'error' | 'defaultValue'>) {
  return <Field {...props} name="email" type="email" autoComplete="username" required />
}

/** A link to an alternative below the form. `question` precedes it. */
export function Aside({ question, to, children }: { question?: string; to: string; children: ReactNode }) {
  return (
    <p className="mt-4 flex min-h-11 flex-wrap items-center gap-x-1.5 first-of-type:mt-6">
      {question}
      <ScreenLink href={to} className="standalone-link min-w-11">
        {children}
      </ScreenLink>
    </p>
  )
}
