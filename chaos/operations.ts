import { profile } from '#contract/accounts.ts'
import { RejectionReason } from '#contract/claim-history.ts'
import type { Task } from '#contract/entities.ts'
import { leaderboard } from '#contract/leaderboard.ts'
import * as review from '#contract/review.ts'
import { joinWaitingList, leaveWaitingList } from '#contract/slots.ts'
import * as tasks from '#contract/claims.ts'
import type { TestUser } from '#server/testing/create-users.ts'
import { freshProof } from '#server/testing/proof.ts'
import { call, pick, type Reply, type World } from './world.ts'

/** Does something once, as a person would, and tells how it ended: `done`, or the code of the refusal. */
type Operation = (world: World) => Promise<string>

/** What participants and administrators do, with how often each is chosen beside the others. */
export const OPERATIONS: Record<string, { weight: number; run: Operation }> = {
  submit: { weight: 24, run: submit },
  edit: { weight: 14, run: edit },
  appeal: { weight: 6, run: appeal },
  wait: { weight: 8, run: wait },
  stopWaiting: { weight: 2, run: stopWaiting },
  read: { weight: 6, run: read },
  approve: { weight: 12, run: approve },
  approveUnseen: { weight: 3, run: approveUnseen },
  approveEdited: { weight: 6, run: approveEdited },
  reject: { weight: 10, run: reject },
  decideSeveral: { weight: 4, run: decideSeveral },
  undo: { weight: 6, run: undo },
  lock: { weight: 3, run: lock },
}

/** One operation by the seed; `name: outcome`. */
export async function operate(world: World): Promise<string> {
  const entries = Object.entries(OPERATIONS)
  let left = world.random() * entries.reduce((sum, [, { weight }]) => sum + weight, 0)
  const [name, { run }] = entries.find(([, { weight }]) => (left -= weight) < 0) ?? entries[0]!
  return `${name}: ${await run(world)}`
}

const GRANT = { pfPoints: 20_000, plsPoints: 20_000 }
const NEWEST = 40
const NOBODY = 'nobody to do it for'

/** Mostly one of those who joined of late: of the others, few have anything left to do. */
function anybody(world: World): TestUser | undefined {
  return pick(world, world.random() < 0.7 ? world.people.slice(-NEWEST) : world.people)
}

async function submit(world: World): Promise<string> {
  const person = anybody(world)
  return person ? submitFor(world, person) : NOBODY
}

async function submitFor(world: World, { token }: TestUser): Promise<string> {
  const reply = await call(world, tasks.submitProof, { token, body: freshProof() })
  if (reply.status === 201) world.promised.push({ claimId: (reply.body.data as Task)._id, event: 'received' })
  return outcomeOf(reply)
}

/** Of a claim that was sent a moment ago, where there was none. */
async function edit(world: World): Promise<string> {
  const person = anybody(world)
  if (!person) return NOBODY
  const known = await lastClaimOf(world, person)
  if (known === undefined) await submitFor(world, person)
  const claimId = known ?? (await lastClaimOf(world, person))
  return claimId === undefined ? NOBODY : editOf(world, { token: person.token, claimId })
}

async function editOf(world: World, { token, claimId }: { token: string; claimId: string }): Promise<string> {
  const given = { token, params: { taskId: claimId }, body: freshProof() }
  const reply = await call(world, tasks.editClaim, given)
  if (reply.status === 200) world.promised.push({ claimId, event: 'edited' })
  return outcomeOf(reply)
}

async function lastClaimOf(world: World, { token }: TestUser): Promise<string | undefined> {
  const { body } = await call(world, tasks.ownClaim, { token })
  return (body.data as tasks.OwnClaim | undefined)?.claim?._id
}

/** Now and then against a decision that was not a rejection, or for a claim that was corrected since. */
async function appeal(world: World): Promise<string> {
  const admin = pick(world, world.admins)
  const decided = admin ? await listed(world, admin, 'decided') : []
  const rejected = decided.filter(({ status }) => status === 'rejected')
  const row = pick(world, world.random() < 0.8 ? rejected : decided)
  const owner = row && ownerOf(world, row)
  if (!owner) return NOBODY
  const given = {
    token: owner.token,
    params: { taskId: row._id },
    body: { text: 'The post is there; please look again.' },
  }
  const reply = await call(world, tasks.appeal, given)
  if (reply.status === 201) world.promised.push({ claimId: row._id, event: 'appealed' })
  return outcomeOf(reply)
}

function ownerOf({ people }: World, { username }: Row): TestUser | undefined {
  return people.find((person) => person.username === username)
}

async function wait(world: World): Promise<string> {
  const person = anybody(world)
  return person ? outcomeOf(await call(world, joinWaitingList, { token: person.token })) : NOBODY
}

async function stopWaiting(world: World): Promise<string> {
  const person = anybody(world)
  return person ? outcomeOf(await call(world, leaveWaitingList, { token: person.token })) : NOBODY
}

async function read(world: World): Promise<string> {
  const person = anybody(world)
  const replies = [
    await call(world, leaderboard, { query: { page: 1, limit: 10 } }),
    ...(person ? [await call(world, profile, { token: person.token })] : []),
  ]
  return replies.map(outcomeOf).find((outcome) => outcome !== 'done') ?? 'done'
}

type Row = review.ReviewRow
type Filter = review.ReviewFilter

/** A row of the desk, as one of the administrators sees it. */
async function look(world: World, filter: Filter): Promise<{ admin: TestUser; row: Row } | undefined> {
  const admin = pick(world, world.admins)
  if (!admin) return undefined
  const row = pick(world, await listed(world, admin, filter))
  return row && { admin, row }
}

async function listed(world: World, { token }: TestUser, filter: Filter): Promise<Row[]> {
  const { body } = await call(world, review.listClaims, { token, query: { filter, limit: 100 } })
  return (body.data as Row[] | undefined) ?? []
}

async function approve(world: World): Promise<string> {
  const seen = await look(world, 'waiting')
  return seen ? approveSeen(world, seen.admin, seen.row) : NOBODY
}

async function approveSeen(world: World, { token }: TestUser, row: Row): Promise<string> {
  const given = {
    token,
    params: { taskId: row._id },
    body: { ...GRANT, revision: row.revision },
  }
  const reply = await call(world, tasks.approveClaim, given)
  if (reply.status === 200)
    world.promised.push({ claimId: row._id, event: 'approved', wallet: row.wallet.toLowerCase() })
  return outcomeOf(reply)
}

/** The call of the specification, which names no revision, about a claim that this administrator may not have seen. */
async function approveUnseen(world: World): Promise<string> {
  const [reader, decider] = world.admins
  if (!reader || !decider) return NOBODY
  const row = pick(world, await listed(world, reader, 'waiting'))
  if (!row) return NOBODY
  const given = { token: decider.token, params: { taskId: row._id }, body: GRANT }
  return outcomeOf(await call(world, tasks.approveClaim, given))
}

/** A participant edits the claim between the moment it is read at the desk and the decision. */
async function approveEdited(world: World): Promise<string> {
  const seen = await look(world, 'waiting')
  const owner = seen && ownerOf(world, seen.row)
  if (!owner) return NOBODY
  const edited = await editOf(world, { token: owner.token, claimId: seen.row._id })
  const approved = await approveSeen(world, seen.admin, seen.row)
  return edited === 'done' ? `after an edit, ${approved}` : approved
}

async function reject(world: World): Promise<string> {
  const seen = await look(world, world.random() < 0.3 ? 'appealed' : 'waiting')
  if (!seen) return NOBODY
  const reply = await call(world, review.rejectClaim, {
    token: seen.admin.token,
    params: { claimId: seen.row._id },
    body: { ...reasonOf(world), revision: seen.row.revision },
  })
  if (reply.status === 200) world.promised.push({ claimId: seen.row._id, event: 'rejected' })
  return outcomeOf(reply)
}

function reasonOf(world: World): { reason: RejectionReason; text: string } {
  return { reason: pick(world, RejectionReason.options) ?? 'other', text: 'Please have a look at it.' }
}

async function decideSeveral(world: World): Promise<string> {
  const admin = pick(world, world.admins)
  if (!admin) return NOBODY
  const rows = (await listed(world, admin, 'waiting')).slice(0, 4)
  if (rows.length === 0) return NOBODY
  const decision = world.random() < 0.6 ? 'approve' : 'reject'
  const reply = await call(world, review.decideClaims, {
    token: admin.token,
    body: {
      decision,
      claimIds: rows.map(({ _id }) => _id),
      revisions: Object.fromEntries(rows.map(({ _id, revision }) => [_id, revision])),
      ...(decision === 'reject' ? reasonOf(world) : {}),
    },
  })
  const outcomes = (reply.body.data as { claimId: string; outcome: string }[] | undefined) ?? []
  for (const { claimId, outcome } of outcomes) {
    const wallet = rows.find(({ _id }) => _id === claimId)?.wallet.toLowerCase() ?? ''
    if (outcome !== 'done') continue
    world.promised.push(
      decision === 'approve' ? { claimId, event: 'approved', wallet } : { claimId, event: 'rejected' },
    )
  }
  return outcomeOf(reply)
}

async function undo(world: World): Promise<string> {
  const seen = await look(world, 'decided')
  if (!seen) return NOBODY
  const claimId = seen.row._id
  const reply = await call(world, review.undoDecision, { token: seen.admin.token, params: { claimId } })
  if (reply.status !== 200) return outcomeOf(reply)
  // Where no slot is free its participant gets the next one.
  if ((reply.body.data as Task).status === 'rejected') return 'done, for the next slot'
  world.promised.push({ claimId, event: 'reopened' })
  return 'done'
}

/** Opens a card, and closes it again now and then: else the lock ends by itself. */
async function lock(world: World): Promise<string> {
  const seen = await look(world, 'waiting')
  if (!seen) return NOBODY
  const given = { token: seen.admin.token, params: { claimId: seen.row._id } }
  const reply = await call(world, review.lockClaim, given)
  if (world.random() < 0.8) await call(world, review.unlockClaim, given)
  return outcomeOf(reply)
}

function outcomeOf({ status, body }: Reply): string {
  return status < 300 ? 'done' : (body.code ?? `HTTP ${status}`)
}
