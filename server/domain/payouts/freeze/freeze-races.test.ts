import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { chooseLocale } from '#server/domain/accounts/user.ts'
import { freezeNow, NO_DRIFT, PAID, payoutDeps } from '#server/testing/builders/payouts.ts'
import { syncCampaign } from '#server/domain/campaign/sync-campaign.ts'
import { changeSettings, overrideSettings } from '#server/domain/settings/change-settings.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { untilWaiting } from '#server/testing/database/races.ts'
import { countDrift } from '../drift.ts'
import type { Progress } from '../runs.ts'
import { thaw } from '../thaw.ts'

type Payouts = Awaited<ReturnType<typeof payoutDeps>>

/** Does `work` once a freeze has read all participants and is waiting to store their rows. */
const whileFreezing = (
  { deps, db, whileLocked }: Payouts,
  work: () => Promise<unknown>,
  options: Parameters<typeof freezeNow>[1] = {},
) =>
  whileLocked('payout_rows', async () => {
    const freezing = freezeNow(deps, options)
    freezing.catch(() => {}) // the caller handles rejections
    await untilWaiting(db, 1)
    await work()
    // In an object, so that `whileLocked` does not wait for it.
    return { freezing }
  })

test('a freeze contains nothing that commits while it runs, and does not start again', async (t) => {
  const payouts = await payoutDeps(t)
  const { db, claim, reviewer, approveNewClaim } = payouts
  const { id, claimId } = await approveNewClaim()
  const late = [await claim(), await claim()]
  const storedCounts: number[] = []
  const onProgress = ({ step, done }: Progress) => {
    if (step === 'rows') storedCounts.push(done)
  }
  const change = async () => {
    // Two approvals, so that the undo does not restore the totals of the ledger.
    for (const one of late) await reviewer.approve(one.claimId)
    await chooseLocale(db, id, 'es') // changes the participant's row, too
    await reviewer.undo(claimId)
  }
  const { freezing } = await whileFreezing(payouts, change, { maxUndecided: 2, onProgress })
  const live = await freezing
  assert.deepEqual([live.recipients, live.pf, live.undecided], [1, PAID.pf, 2])
  assert.deepEqual(storedCounts, [1], 'the only wallet is stored once')
  assert.deepEqual(await countDrift(db, live), { ...NO_DRIFT, undone: 1, added: 2 })
})

test('an approval that has not committed is not in the freeze', async (t) => {
  const { deps, db, whileLocked, claim, reviewer, approveNewClaim } = await payoutDeps(t)
  await approveNewClaim()
  const late = await claim()
  const { approving, live } = await whileLocked('jobs', async () => {
    const running = reviewer.approve(late.claimId)
    // The approval has written its credits, and waits to queue its email.
    await untilWaiting(db, 1)
    return { approving: running, live: await freezeNow(deps, { maxUndecided: 1 }) }
  })
  assert.deepEqual([live.recipients, live.pf], [1, PAID.pf])
  await approving
  assert.deepEqual(await countDrift(db, live), { ...NO_DRIFT, added: 1 })
})

const NEW_RATE = { actor: null, changes: [{ path: 'payout.perPoint.pf', value: '2' }] }
const changeRate = ({ db, liveCampaign }: Payouts['deps']) => changeSettings(db, liveCampaign.file, NEW_RATE)

test('rates cannot be changed while an allocation is being frozen', async (t) => {
  const payouts = await payoutDeps(t)
  const { deps, db, approveNewClaim } = payouts
  await syncCampaign(db, deps.liveCampaign.file)
  await approveNewClaim()
  const { freezing } = await whileFreezing(payouts, () =>
    assert.rejects(changeRate(deps), { code: 'promise_broken' }),
  )
  assert.equal((await freezing).terms.perPoint.pf, '1')
  await thaw(deps, { actor: null, reason: 'A test.' })
  await changeRate(deps)
})

test('a freeze fails if rates change while its heartbeat has stopped', async (t) => {
  const payouts = await payoutDeps(t)
  const { deps, db, approveNewClaim } = payouts
  await approveNewClaim()
  t.mock.timers.enable({ apis: ['setInterval'] }) // stops the heartbeat
  const { freezing } = await whileFreezing(payouts, async () => {
    await sql`update payout_runs set beat_at = now() - interval '1 minute'`.execute(db)
    await changeRate(deps)
  })
  await assert.rejects(freezing, { code: 'terms_changed' })
})

test('a killed run does not keep others from starting after the clock was set back', async (t) => {
  const { deps, db, approveNewClaim } = await payoutDeps(t)
  await assert.rejects(freezeNow(deps), { code: 'nothing_to_pay' })
  // As if the refused run had been killed, and the clock set back by a day.
  const killed = sql`update payout_runs set ended_at = null, refusal = null, beat_at = now() + interval '1 day'`
  await killed.execute(db)
  await approveNewClaim()
  await freezeNow(deps)
})

test('a freeze waits until changed rates are committed; a node that has not heard of them freezes nothing', async (t) => {
  const { deps, db, approveNewClaim } = await payoutDeps(t)
  await approveNewClaim()
  const freezing = await inTransaction(db, async (tx) => {
    await overrideSettings(tx, deps.liveCampaign.file, NEW_RATE)
    const running = freezeNow(deps)
    running.catch(() => {})
    await untilWaiting(db, 1)
    return { running }
  })
  await assert.rejects(freezing.running, { code: 'terms_changed' })
  await assert.rejects(freezeNow(deps), { code: 'terms_changed' })
  await deps.liveCampaign.refresh()
  assert.equal((await freezeNow(deps)).terms.perPoint.pf, '2')
})

test('one of two concurrent freezes is refused', async (t) => {
  const { deps, db, whileLocked, approveNewClaim } = await payoutDeps(t)
  await approveNewClaim()
  const freezes = await whileLocked('payout_rows', async () => {
    const first = freezeNow(deps)
    await untilWaiting(db, 1)
    await assert.rejects(freezeNow(deps), { code: 'payout_busy' })
    // The heartbeat of the first freeze seems to have stopped, so that a second one may start.
    await sql`update payout_runs set beat_at = now() - interval '1 minute'`.execute(db)
    const second = freezeNow(deps)
    await untilWaiting(db, 2)
    return { first, second }
  })
  const ends = await Promise.allSettled([freezes.first, freezes.second])
  assert.deepEqual(ends.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  const refused = ends.find((end) => end.status === 'rejected')
  assert.equal((refused?.reason as { code?: string } | undefined)?.code, 'payout_frozen')
})
