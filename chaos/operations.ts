import assert from 'node:assert/strict'
import defaultCampaign from '#server/testing/campaign.ts'
import { profile } from '#contract/accounts/accounts.ts'
import { RejectionReason } from '#contract/claims/claim-history.ts'
import type { Task } from '#contract/entities.ts'
import { grantedPoints } from '#contract/claims/granted-points.ts'
import { leaderboard } from '#contract/leaderboard.ts'
import * as review from '#contract/dashboard/review.ts'
import * as slots from '#contract/claims/slots.ts'
import * as claims from '#contract/claims/claims.ts'
import { freezePayout, thawPayout } from '#contract/dashboard/payouts.ts'
import { banPerson, deletePerson, unbanPerson } from '#contract/dashboard/person.ts'
import { listPeople, type PersonRow } from '#contract/dashboard/people.ts'
import type { TestUser } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { call, pick, type Reply, type World } from './world.ts'

/** @returns `done` or the code of the refusal. */
type Operation = (world: World) => Promise<string>
type Row = review.ReviewRow
type Filter = review.ReviewFilter

/** The actions of participants and administrators. Weights are relative frequencies. */
const OPERATIONS: Record<string, { weight: number; run: Operation }> = {
  submit: { weight: 24, run: (world) => submitFor(world, pickPerson(world)) },
  edit: { weight: 14, run: edit },
  appeal: { weight: 6, run: appeal },
  joinWaitingList: { weight: 8, run: joinWaitingList },
  leaveWaitingList: { weight: 2, run: leaveWaitingList },
  read: { weight: 6, run: read },
  approve: { weight: 12, run: approve },
  approveUnseen: { weight: 3, run: approveUnseen },
  approveEdited: { weight: 6, run: approveEdited },
  reject: { weight: 10, run: reject },
  decideSeveral: { weight: 4, run: decideSeveral },
  undo: { weight: 6, run: undo },
  lock: { weight: 3, run: lock },
  ban: { weight: 2, run: ban },
  unban: { weight: 1, run: unban },
  deleteAccount: { weight: 1, run: deleteAccount },
  freeze: { weight: 3, run: freeze },
  thaw: { weight: 2, run: thaw },
}

/** @returns `name: outcome`. */
export async function runRandomOperation(world: World): Promise<string> {
  const entries = Object.entries(OPERATIONS)
  let left = world.random() * entries.reduce((sum, [, { weight }]) => sum + weight, 0)
  for (const [name, { weight, run }] of entries) {
    left -= weight
    if (left < 0) return `${name}: ${await run(world)}`
  }
  return assert.fail('A random number must be less than 1.')
}

/** An approval has to name the points that it grants. */
const GRANT = grantedPoints(defaultCampaign.airdrop)
const RECENT_PEOPLE = 40
/** Lets a freeze leave out all undecided claims. */
const ANY_NUMBER = 1_000_000
const SKIPPED = 'nothing to act on'

/** Prefers recent participants, because most others have finished. */
function pickPerson(world: World): TestUser {
  const people = world.random() < 0.7 ? world.people.slice(-RECENT_PEOPLE) : world.people
  return pick(world, people) ?? assert.fail('There are no participants.')
}

function pickAdministrator(world: World): TestUser {
  return pick(world, world.admins) ?? assert.fail('There are no administrators.')
}

async function submitFor(world: World, { token }: TestUser): Promise<string> {
  const reply = await call(world, claims.submitProof, { token, body: freshProof() })
  if (reply.status === 201)
    world.acknowledged.push({ claimId: (reply.body.data as Task)._id, event: 'received' })
  return outcomeOf(reply)
}

/** Submits a claim first if there is none. */
async function edit(world: World): Promise<string> {
  const person = pickPerson(world)
  const existing = await lastClaimOf(world, person)
  if (existing === undefined) await submitFor(world, person)
  const claimId = existing ?? (await lastClaimOf(world, person))
  return claimId === undefined ? SKIPPED : editOf(world, { token: person.token, claimId })
}

async function editOf(world: World, { token, claimId }: { token: string; claimId: string }): Promise<string> {
  const input = { token, params: { taskId: claimId }, body: freshProof() }
  const reply = await call(world, claims.editClaim, input)
  if (reply.status === 200) world.acknowledged.push({ claimId, event: 'edited' })
  return outcomeOf(reply)
}

async function lastClaimOf(world: World, { token }: TestUser): Promise<string | undefined> {
  const { body } = await call(world, claims.ownClaim, { token })
  return (body.data as claims.OwnClaim | undefined)?.claim?._id
}

/** Sometimes appeals against an approval, or for a claim that has been corrected since. */
async function appeal(world: World): Promise<string> {
  const decided = await listRows(world, pickAdministrator(world), 'decided')
  const rejected = decided.filter(({ status }) => status === 'rejected')
  const row = pick(world, world.random() < 0.8 ? rejected : decided)
  const owner = row && ownerOf(world, row)
  if (!owner) return SKIPPED
  const body = { text: 'The post is there; please look again.' }
  const reply = await call(world, claims.appeal, { token: owner.token, params: { taskId: row._id }, body })
  if (reply.status === 201) world.acknowledged.push({ claimId: row._id, event: 'appealed' })
  return outcomeOf(reply)
}

function ownerOf({ people }: World, { username }: Row): TestUser | undefined {
  return people.find((person) => person.username === username)
}

async function joinWaitingList(world: World): Promise<string> {
  return outcomeOf(await call(world, slots.joinWaitingList, { token: pickPerson(world).token }))
}

async function leaveWaitingList(world: World): Promise<string> {
  return outcomeOf(await call(world, slots.leaveWaitingList, { token: pickPerson(world).token }))
}

async function read(world: World): Promise<string> {
  const person = pickPerson(world)
  const replies = [
    await call(world, leaderboard, { query: { page: 1, limit: 10 } }),
    await call(world, profile, { token: person.token }),
  ]
  return replies.map(outcomeOf).find((outcome) => outcome !== 'done') ?? 'done'
}

/** A random row of the review screen, as a random administrator sees it. */
async function pickRow(world: World, filter: Filter): Promise<{ admin: TestUser; row: Row } | undefined> {
  const admin = pickAdministrator(world)
  const row = pick(world, await listRows(world, admin, filter))
  return row && { admin, row }
}

async function listRows(world: World, { token }: TestUser, filter: Filter): Promise<Row[]> {
  const { body } = await call(world, review.listClaims, { token, query: { filter, limit: 100 } })
  return (body.data as Row[] | undefined) ?? []
}

async function approve(world: World): Promise<string> {
  const seen = await pickRow(world, 'waiting')
  return seen ? approveSeen(world, seen.admin, seen.row) : SKIPPED
}

async function approveSeen(world: World, { token }: TestUser, row: Row): Promise<string> {
  const body = { ...GRANT, revision: row.revision }
  const reply = await call(world, claims.approveClaim, { token, params: { taskId: row._id }, body })
  if (reply.status === 200)
    world.acknowledged.push({ claimId: row._id, event: 'approved', wallet: row.wallet.toLowerCase() })
  return outcomeOf(reply)
}

/** Without a revision, as the specification allows: the claim may not be what the administrator saw. */
async function approveUnseen(world: World): Promise<string> {
  const [reader, decider] = world.admins
  if (!reader || !decider) return SKIPPED
  const row = pick(world, await listRows(world, reader, 'waiting'))
  if (!row) return SKIPPED
  const input = { token: decider.token, params: { taskId: row._id }, body: GRANT }
  return outcomeOf(await call(world, claims.approveClaim, input))
}

/** The participant edits the claim between the reviewer's reading and decision. */
async function approveEdited(world: World): Promise<string> {
  const seen = await pickRow(world, 'waiting')
  const owner = seen && ownerOf(world, seen.row)
  if (!owner) return SKIPPED
  const edited = await editOf(world, { token: owner.token, claimId: seen.row._id })
  const approved = await approveSeen(world, seen.admin, seen.row)
  return edited === 'done' ? `after an edit, ${approved}` : approved
}

async function reject(world: World): Promise<string> {
  const seen = await pickRow(world, world.random() < 0.3 ? 'appealed' : 'waiting')
  if (!seen) return SKIPPED
  const reply = await call(world, review.rejectClaim, {
    token: seen.admin.token,
    params: { claimId: seen.row._id },
    body: { ...randomReason(world), revision: seen.row.revision },
  })
  if (reply.status === 200) world.acknowledged.push({ claimId: seen.row._id, event: 'rejected' })
  return outcomeOf(reply)
}

function randomReason(world: World): { reason: RejectionReason; text: string } {
  return { reason: pick(world, RejectionReason.options) ?? 'other', text: 'Please have a look at it.' }
}

async function decideSeveral(world: World): Promise<string> {
  const admin = pickAdministrator(world)
  const rows = (await listRows(world, admin, 'waiting')).slice(0, 4)
  if (rows.length === 0) return SKIPPED
  const decision = world.random() < 0.6 ? 'approve' : 'reject'
  const reply = await call(world, review.decideClaims, {
    token: admin.token,
    body: {
      decision,
      claimIds: rows.map(({ _id }) => _id),
      revisions: Object.fromEntries(rows.map(({ _id, revision }) => [_id, revision])),
      ...(decision === 'reject' ? randomReason(world) : {}),
    },
  })
  const outcomes = (reply.body.data as { claimId: string; outcome: string }[] | undefined) ?? []
  for (const { claimId, outcome } of outcomes) {
    if (outcome !== 'done') continue
    const wallet = rows.find(({ _id }) => _id === claimId)?.wallet.toLowerCase() ?? ''
    world.acknowledged.push(
      decision === 'approve' ? { claimId, event: 'approved', wallet } : { claimId, event: 'rejected' },
    )
  }
  return outcomeOf(reply)
}

async function undo(world: World): Promise<string> {
  const seen = await pickRow(world, 'decided')
  if (!seen) return SKIPPED
  const claimId = seen.row._id
  const reply = await call(world, review.undoDecision, { token: seen.admin.token, params: { claimId } })
  if (reply.status !== 200) return outcomeOf(reply)
  // Without a free slot, the claim stays rejected, and the participant gets the next slot.
  if ((reply.body.data as Task).status === 'rejected') return 'done, for the next slot'
  world.acknowledged.push({ claimId, event: 'reopened' })
  return 'done'
}

/** Opens a card and usually closes it. Otherwise, the lock expires. */
async function lock(world: World): Promise<string> {
  const seen = await pickRow(world, 'waiting')
  if (!seen) return SKIPPED
  const input = { token: seen.admin.token, params: { claimId: seen.row._id } }
  const reply = await call(world, review.lockClaim, input)
  if (world.random() < 0.8) await call(world, review.unlockClaim, input)
  return outcomeOf(reply)
}

/** Sometimes revokes an approval. Rarely bans someone who is already banned. */
async function ban(world: World): Promise<string> {
  const { token } = pickAdministrator(world)
  const params = { userId: pickPerson(world).id }
  const body = { reason: 'Several accounts.', revokesApproval: world.random() < 0.4 }
  return outcomeOf(await call(world, banPerson, { token, params, body }))
}

/** Unbanned participants have no session, so they no longer act themselves. */
async function unban(world: World): Promise<string> {
  const { token } = pickAdministrator(world)
  const { body } = await call(world, listPeople, { token, query: { filter: 'banned', limit: 100 } })
  const banned = pick(world, (body.data as PersonRow[] | undefined) ?? [])
  if (!banned) return SKIPPED
  const params = { userId: banned._id }
  return outcomeOf(await call(world, unbanPerson, { token, params }))
}

/** The decided claims and the points of a deleted account stay. */
async function deleteAccount(world: World): Promise<string> {
  const { token } = pickAdministrator(world)
  const { id: userId, username: confirmation } = pickPerson(world)
  return outcomeOf(await call(world, deletePerson, { token, params: { userId }, body: { confirmation } }))
}

/** Fixes what each wallet gets. */
async function freeze(world: World): Promise<string> {
  const input = { token: pickAdministrator(world).token, body: { undecided: ANY_NUMBER } }
  return outcomeOf(await call(world, freezePayout, input))
}

/** Undoes a freeze. */
async function thaw(world: World): Promise<string> {
  const input = { token: pickAdministrator(world).token, body: { reason: 'A claim was decided wrongly.' } }
  return outcomeOf(await call(world, thawPayout, input))
}

function outcomeOf({ status, body }: Reply): string {
  return status < 300 ? 'done' : (body.code ?? `HTTP ${status}`)
}
