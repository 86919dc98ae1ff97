import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { listClaims, type ReviewRow } from '#contract/dashboard/review.ts'
import { submitProof } from '#server/domain/claims/submission/submit-proof.ts'
import { testApi } from '../api.ts'
import { createUsers, type TestUser } from './create-users.ts'
import { reviewerOn } from './reviewer.ts'
import { freshProof } from './proof.ts'

export type Query = Record<string, string | number>

/** An administrator with calls to the review list, and `claimsOf`, which submits a claim for each person. */
export async function reviewQueue(t: TestContext) {
  const api = await testApi(t)
  const { deps, db } = api
  const [adm] = await createUsers(db, deps.campaign.id, 1, { role: 'admin' })
  const ask = (query: Query) => api.call(listClaims, { token: adm.token, query })
  const page = async (query: Query) => {
    const { status, body } = await ask(query)
    assert.equal(status, 200, JSON.stringify([query, body]))
    const { data, next, isSearchCut } = body as unknown as {
      data: ReviewRow[]
      next: string | null
      isSearchCut: boolean
    }
    return { ids: data.map(({ _id }) => _id), rows: data, next, isSearchCut }
  }
  /** The claims of all pages, in order. Pages are short, so that there are several. */
  const all = async (query: Query, afterPage = async () => {}) => {
    const ids: string[] = []
    let cursor: string | null = null
    do {
      const { next, ids: found } = await page({ limit: 7, ...query, ...(cursor ? { cursor } : {}) })
      ids.push(...found)
      cursor = next
      await afterPage()
    } while (cursor !== null)
    return ids
  }
  const claimsOf = async (people: readonly TestUser[]) => {
    const ids: string[] = []
    for (const { id } of people) ids.push((await submitProof(deps, id, freshProof()))._id)
    return ids
  }
  return { ...api, adm, reviewer: reviewerOn(deps, adm), ask, page, all, claimsOf }
}
