import type { ReactNode } from 'react'
import { CHECKS, SETUP, SETUP_CAMPAIGN, SETUP_DONE } from '#messages/dashboard-setup.js'
import { useParam } from '#web/features/navigation/location.ts'
import { isUnauthenticated } from '#web/features/api/api-error.ts'
import { HomeLink } from '#web/features/layout/home-link.tsx'
import { RedirectTo } from '#web/features/session/redirect-to.tsx'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { ROUTES } from '#web/routes.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { classes } from '#web/ui/classes.ts'
import { DeploymentChecks, useDeploymentChecks } from '../dashboard/checks/checks.tsx'
import { Command } from '../dashboard/ui/copy.tsx'
import { LookForm } from '../dashboard/look/look.tsx'
import { useLook } from '../dashboard/look/use-look.ts'
import { CAMPAIGN } from '../campaign-data.ts'
import { MainRegion } from '../main-region.tsx'
import { ScreenLink } from '../screen-link.tsx'
import { TitledSection } from '../dashboard/dashboard-screen.tsx'

const STEPS = ['checks', 'campaign', 'done'] as const
type Step = (typeof STEPS)[number]

export const pathOfStep = (step: Step): string => `${ROUTES.setup.path}?step=${step}`

const HEADINGS: Record<Step, { title: string; lead: string }> = {
  checks: CHECKS,
  campaign: SETUP_CAMPAIGN,
  done: SETUP_DONE,
}
const SHOWN_STEPS = ['administrator', ...STEPS] as const

/** The setup once there is an administrator. Each step has its address, and fetches only its data. */
export function Steps() {
  const requested = useParam('step')
  const step = STEPS.find((each) => each === requested) ?? 'checks'
  const checks = useDeploymentChecks(step === 'checks')
  const look = useLook(step === 'campaign')
  if (isUnauthenticated(checks.error) || isUnauthenticated(look.query.error))
    return <RedirectTo to={ROUTES.login.path} />
  const { title, lead } = HEADINGS[step]
  return (
    <>
      <header className="page flex h-(--header-height) max-w-[64rem] items-center">
        <HomeLink name={CAMPAIGN.token.name} />
      </header>
      <MainRegion key={step} route={ROUTES.setup} className="page max-w-[64rem] pt-6 pb-24">
        <Progress current={step} />
        <h1 className="mt-8 text-3xl">{title}</h1>
        <p className="mt-4 max-w-[56ch] text-lg text-ink-soft">{lead}</p>
        <div className="mt-8">
          {step === 'checks' && <DeploymentChecks checks={checks} isStep />}
          {step === 'campaign' && <MakeItYours look={look} />}
          {step === 'done' && <WhatNext />}
        </div>
        <BackAndNext current={step} />
      </MainRegion>
    </>
  )
}

/** The steps as links, except the first, because the administrator's account exists already. */
function Progress({ current }: { current: Step }) {
  return (
    <nav aria-label={SETUP.stepsLabel}>
      <ol className="flex flex-wrap gap-x-4 gap-y-1 border-b border-hairline text-sm sm:gap-x-6 sm:text-base">
        {SHOWN_STEPS.map((name, index) => (
          <li
            key={name}
            className={classes(
              '-mb-px border-b-2',
              name === current ? 'border-accent' : 'border-transparent',
            )}
          >
            <StepName
              isCurrent={name === current}
              path={name === 'administrator' ? undefined : pathOfStep(name)}
            >
              <span className="figures me-1.5 text-ink-soft">{index + 1}</span>
              {SETUP.steps[name]}
            </StepName>
          </li>
        ))}
      </ol>
    </nav>
  )
}

type StepNameProps = { isCurrent: boolean; path: string | undefined; children: ReactNode }

function StepName({ isCurrent, path, children }: StepNameProps) {
  const style = 'inline-flex min-h-11 items-center font-semibold'
  if (path === undefined) return <span className={classes(style, 'text-ink-soft')}>{children}</span>
  return (
    <ScreenLink
      href={path}
      aria-current={isCurrent ? 'step' : undefined}
      className={classes(style, !isCurrent && 'text-ink-soft hover:text-ink')}
    >
      {children}
    </ScreenLink>
  )
}

function MakeItYours({ look }: { look: ReturnType<typeof useLook> }) {
  return (
    <div className="grid gap-12">
      <LookForm look={look} />
      <TitledSection title={SETUP_CAMPAIGN.settingsTitle} className="grid justify-items-start gap-3">
        <p className="max-w-[60ch] text-ink-soft">{SETUP_CAMPAIGN.settingsText}</p>
        <ScreenLink href={DASHBOARD_ROUTES.settings.path} className="standalone-link">
          {SETUP_CAMPAIGN.settingsLink}
        </ScreenLink>
      </TitledSection>
    </div>
  )
}

function WhatNext() {
  const { site, dashboard, security, backup, reviewers, doctor } = SETUP_DONE
  return (
    <ol className="border-t border-hairline">
      <Todo {...site} number={1}>
        <p className="figures text-sm break-words">{location.origin}</p>
        <a href={ROUTES.home.path} className="standalone-link">
          {site.link}
        </a>
      </Todo>
      <Todo {...dashboard} number={2}>
        <p className="figures text-sm break-words">{location.origin + ROUTES.dashboard.path}</p>
        <ScreenLink href={ROUTES.dashboard.path} className="standalone-link">
          {dashboard.link}
        </ScreenLink>
      </Todo>
      <Todo {...security} number={3}>
        <ScreenLink href={DASHBOARD_ROUTES.security.path} className="standalone-link">
          {security.link}
        </ScreenLink>
      </Todo>
      <Todo {...backup} number={4}>
        <Command text={backup.command} />
      </Todo>
      <Todo {...reviewers} number={5}>
        <ScreenLink href={DASHBOARD_ROUTES.people.path} className="standalone-link">
          {reviewers.link}
        </ScreenLink>
      </Todo>
      <Todo {...doctor} number={6}>
        <Command text={doctor.command} />
      </Todo>
    </ol>
  )
}

type TodoProps = { number: number; title: string; text: string; children: ReactNode }

function Todo({ number, title, text, children }: TodoProps) {
  return (
    <li className="grid gap-x-6 gap-y-2 border-b border-hairline py-6 sm:grid-cols-[2.5rem_1fr]">
      <span aria-hidden="true" className="figures text-xl text-accent-text">
        {number}
      </span>
      <div className="grid justify-items-start gap-2">
        <h2 className="text-xl">{title}</h2>
        <p className="max-w-[60ch] text-ink-soft">{text}</p>
        {children}
      </div>
    </li>
  )
}

function BackAndNext({ current }: { current: Step }) {
  const position = STEPS.indexOf(current)
  const previous = STEPS[position - 1]
  const next = STEPS[position + 1]
  return (
    <div className="mt-12 flex flex-wrap gap-3">
      {previous && (
        <ScreenLink href={pathOfStep(previous)} className={buttonStyle('secondary')}>
          {SETUP.back}
        </ScreenLink>
      )}
      {next && (
        <ScreenLink href={pathOfStep(next)} className={buttonStyle('primary')}>
          {SETUP.next}
        </ScreenLink>
      )}
    </div>
  )
}
