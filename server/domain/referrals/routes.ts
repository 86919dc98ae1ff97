import * as contract from '#contract/referrals.ts'
import type { Deps } from '#server/deps.ts'
import { route, type Route } from '#server/platform/http/route.ts'
import { refuse } from '#server/platform/refusal.ts'
import { findReferrer } from './referrer.ts'

const CODE = /^[A-Za-z0-9]{1,40}$/

export const referralRoutes = (deps: Deps): Route[] => [
  route(contract.referral, async ({ params }) => {
    const referrer = CODE.test(params.code) ? await findReferrer(deps.db, params.code) : undefined
    if (!referrer) throw refuse('referral_not_found')
    return { data: { username: referrer.username } }
  }),
]
