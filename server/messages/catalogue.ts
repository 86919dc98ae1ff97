import { createRequire } from 'node:module'
import type { Locale } from '#contract/locales.ts'
import type * as announcements from '#messages/announcements.js'
import type * as answers from '#messages/answers.js'
import type * as emails from '#messages/emails.js'
import type * as errors from '#messages/errors.js'
import type * as invitation from '#messages/invitation.js'
import type * as pictures from '#messages/pictures.js'
import type * as points from '#messages/points.js'
import type * as reasons from '#messages/reasons.js'
import type * as routes from '#messages/routes.js'
import type * as time from '#messages/time.js'
import type * as widgets from '#messages/widgets.js'
import type * as dashboardAlerts from '#messages/dashboard-alerts.js'
import type * as dashboardAnswers from '#messages/dashboard-answers.js'
import type * as dashboardDeployment from '#messages/dashboard-deployment.js'
import type * as dashboardEmails from '#messages/dashboard-emails.js'
import type * as dashboardErrors from '#messages/dashboard-errors.js'
import type * as dashboardEvidence from '#messages/dashboard-evidence.js'
import type * as dashboardFaults from '#messages/dashboard-faults.js'

/** The texts of the server, including pictures and widgets. The texts of the screens are in the web build. */
const NAMESPACES = [
  'announcements',
  'answers',
  'emails',
  'errors',
  'invitation',
  'pictures',
  'points',
  'reasons',
  'routes',
  'time',
  'widgets',
  'dashboard-alerts',
  'dashboard-answers',
  'dashboard-deployment',
  'dashboard-emails',
  'dashboard-errors',
  'dashboard-evidence',
  'dashboard-faults',
] as const

/** All that the modules of these namespaces export, such as `ERRORS`, in one language. */
export type Texts = typeof announcements &
  typeof answers &
  typeof emails &
  typeof errors &
  typeof invitation &
  typeof pictures &
  typeof points &
  typeof reasons &
  typeof routes &
  typeof time &
  typeof widgets &
  typeof dashboardAlerts &
  typeof dashboardAnswers &
  typeof dashboardDeployment &
  typeof dashboardEmails &
  typeof dashboardErrors &
  typeof dashboardEvidence &
  typeof dashboardFaults

/** A message: its name as `code`, with the values that its text takes. */
export type MessageIn<Messages> = {
  [Code in keyof Messages]: Messages[Code] extends (values: infer Values) => string
    ? { code: Code } & Values
    : { code: Code }
}[keyof Messages]

const loaded = new Map<Locale, Texts>()
// Synchronous, so that an error can be worded wherever it is caught.
const loadModule = createRequire(import.meta.url)

export function textsIn(locale: Locale): Texts {
  const texts = loaded.get(locale) ?? load(locale)
  loaded.set(locale, texts)
  return texts
}

const load = (locale: Locale): Texts =>
  Object.assign({}, ...NAMESPACES.map((namespace) => loadModule(`#catalogue/${locale}/${namespace}.js`)))
