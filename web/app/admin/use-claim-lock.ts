import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { LOCK_SECONDS, lockClaim, reviewClaim, unlockClaim } from '#contract/review.ts'
import { call } from '#web/features/api/call.ts'
import { REVIEW_QUERY } from './use-queue.ts'

/** Renews twice within the lease, so that one failed call does not lose it. */
const RENEW = (LOCK_SECONDS * 1000) / 2.5

/** One claim with all its details. While `mayLock`, holds the review lock until the card closes. */
export function useOpenClaim(claimId: string, mayLock: boolean) {
  const queries = useQueryClient()
  useEffect(() => {
    if (!mayLock) return
    let isOpen = true
    const take = async () => {
      // The card shows who holds the lock; `call` logs the refusal.
      await call(lockClaim, { params: { claimId } }).catch(() => {})
      if (isOpen) void queries.invalidateQueries({ queryKey: [...REVIEW_QUERY, 'claim', claimId] })
    }
    const renewal = setInterval(() => void take(), RENEW)
    void take()
    return () => {
      isOpen = false
      clearInterval(renewal)
      void call(unlockClaim, { params: { claimId } }).catch(() => {})
    }
  }, [claimId, mayLock, queries])
  return useQuery({
    queryKey: [...REVIEW_QUERY, 'claim', claimId],
    queryFn: () => call(reviewClaim, { params: { claimId } }),
  })
}
