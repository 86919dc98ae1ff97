import { ROUTES } from '#web/routes.ts'

/** The steps after the account, in order. */
export const STEPS = ['checks', 'campaign', 'done'] as const
export type Step = (typeof STEPS)[number]

export const pathOfStep = (step: Step): string => `${ROUTES.setup.path}?step=${step}`

/** The step of an address; the first one for any other. */
export function readStep(search: string): Step {
  const named = new URLSearchParams(search).get('step')
  return STEPS.find((step) => step === named) ?? 'checks'
}
