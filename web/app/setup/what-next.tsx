import type { ReactNode } from 'react'
import { SETUP_DONE } from '#messages/dashboard-setup.js'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { ROUTES } from '#web/routes.ts'
import { ScreenLink } from '../screen-link.tsx'
import { Command } from '../admin/copy.tsx'

/** The last step: what an operator does after the setup, in order. */
export function WhatNext() {
  const { site, dashboard, backup, reviewers, doctor } = SETUP_DONE
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
      <Todo {...backup} number={3}>
        <Command text={backup.command} />
      </Todo>
      <Todo {...reviewers} number={4}>
        <ScreenLink href={DASHBOARD_ROUTES.people.path} className="standalone-link">
          {reviewers.link}
        </ScreenLink>
      </Todo>
      <Todo {...doctor} number={5}>
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
