import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { LOCK_SECONDS, lockClaim, reviewClaim, unlockClaim } from '#contract/review.ts'
import { call } from '#web/features/api/call.ts'
import { REVIEW_QUERY } from '../use-queue.ts'

/** Renews twice within the lease, so that one failed call does not lose it. */
const RENEW_MS = (LOCK_SECONDS * 1000) / 2.5

/** One claim with all its details. While `canLock`, holds the review lock until the card closes. */
export function useOpenClaim(claimId: string, canLock: boolean) {
  const queries = useQueryClient()
  useEffect(() => {
    if (!canLock) return
    let isOpen = true
    const acquire = async () => {
      // The card shows who holds the lock; `call` logs the refusal.
      await call(lockClaim, { params: { claimId } }).catch(() => {})
      if (isOpen) void queries.invalidateQueries({ queryKey: [...REVIEW_QUERY, 'claim', claimId] })
    }
    const renewal = setInterval(() => void acquire(), RENEW_MS)
    void acquire()
    return () => {
      isOpen = false
      clearInterval(renewal)
      void call(unlockClaim, { params: { claimId } }).catch(() => {})
    }
  }, [claimId, canLock, queries])
  return useQuery({
    queryKey: [...REVIEW_QUERY, 'claim', claimId],
    queryFn: () => call(reviewClaim, { params: { claimId } }),
  })
}
