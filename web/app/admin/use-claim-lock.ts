import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { LOCK_SECONDS, lockClaim, reviewClaim, unlockClaim } from '#contract/review.ts'
import { call } from '#web/features/api/call.ts'
import { REVIEW } from './use-queue.ts'

/** Milliseconds; twice within the lease, so that one lost call does not lose the claim. */
const RENEW = (LOCK_SECONDS * 1000) / 2.5

/**
 * One claim with all that is known of it. While `mayLock`, it is taken for this reviewer, so that nobody else
 * decides it meanwhile, and let go when the card closes.
 */
export function useOpenClaim(claimId: string, mayLock: boolean) {
  const queries = useQueryClient()
  useEffect(() => {
    if (!mayLock) return
    let isOpen = true
    const take = async () => {
      // Who has it already stands on the card; the call logs the refusal.
      await call(lockClaim, { params: { claimId } }).catch(() => {})
      if (isOpen) void queries.invalidateQueries({ queryKey: [REVIEW, 'claim', claimId] })
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
    queryKey: [REVIEW, 'claim', claimId],
    queryFn: () => call(reviewClaim, { params: { claimId } }),
  })
}
