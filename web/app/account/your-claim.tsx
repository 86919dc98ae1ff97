import { ownPayout } from '#contract/allocation.ts'
import { ownCampaigns } from '#contract/campaigns.ts'
import type { OwnClaim } from '#contract/claims/claims.ts'
import { YOUR_CLAIM } from '#messages/claim.js'
import { ARCHIVE } from '#messages/phase.js'
import { WALLET_PROOF } from '#messages/wallet-proof.js'
import { YOUR_PAYOUT } from '#messages/your-payout.js'
import { isFirstLoad, useData } from '#web/features/api/use-data.ts'
import { Timeline } from '#web/features/claim/timeline.tsx'
import { useOwnClaim } from '#web/features/claim/use-own-claim.ts'
import { useProfile } from '#web/features/profile/use-profile.ts'
import { WalletProof } from '#web/features/wallet/wallet-proof.tsx'
import { archivePath } from '#web/routes.ts'
import { Stamp } from '#web/ui/stamp.tsx'
import { Appeal } from './appeal.tsx'
import { ClaimState, SlotState } from './claim-state.tsx'
import { MissingSection, PendingSection, ProfileSection } from './profile-section.tsx'
import { Telegram } from './telegram.tsx'
import { YourPayout } from './your-payout.tsx'

/** The payout, the claim and earlier campaigns. */
export function YourClaim() {
  const claim = useOwnClaim()
  const account = useProfile()
  // The profile’s `taskId` is its claim. Either answer may come first.
  const hasClaim = Boolean(account.data?.taskId || claim.data?.claim)
  const payout = useData(ownPayout, { queryKey: ['own-payout'], enabled: hasClaim })
  // A payout that failed and is retried later must not unmount the sections, with what is typed in them.
  if (isFirstLoad(payout) || isFirstLoad(claim)) return <PendingSection />
  return (
    <>
      {payout.data && <YourPayout payout={payout.data} />}
      {payout.isLoadingError && (
        <MissingSection title={YOUR_PAYOUT.title} onRetry={() => void payout.refetch()} />
      )}
      {claim.data && hasContent(claim.data) && <Overview ownClaim={claim.data} />}
      {claim.isLoadingError && (
        <MissingSection title={YOUR_CLAIM.title} onRetry={() => void claim.refetch()} />
      )}
      <EarlierCampaigns />
    </>
  )
}

const hasContent = ({ claim, slot, waiting, provenWallet }: OwnClaim) =>
  Boolean(claim || slot || waiting || provenWallet)

function Overview({ ownClaim }: { ownClaim: OwnClaim }) {
  const stamp = stampOf(ownClaim)
  return (
    <ProfileSection title={YOUR_CLAIM.title} aside={stamp && <Stamp tone="accent">{stamp}</Stamp>}>
      <div className="grid grid-cols-1 gap-x-12 gap-y-8 pt-6 lg:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)]">
        <div className="grid content-start gap-6">
          <SlotState ownClaim={ownClaim} />
          <ClaimState ownClaim={ownClaim} />
          {ownClaim.claim && <Appeal key={ownClaim.claim._id} claim={ownClaim.claim} />}
          <OwnWallet ownClaim={ownClaim} />
          {ownClaim.telegram && ownClaim.claim?.status !== 'approved' && <Telegram {...ownClaim.telegram} />}
        </div>
        {ownClaim.timeline.length > 0 && (
          <div className="grid content-start gap-3">
            <h3 className="label font-text">{YOUR_CLAIM.timeline}</h3>
            <Timeline entries={ownClaim.timeline} />
          </div>
        )}
      </div>
    </ProfileSection>
  )
}

/** The claim's wallet, or else the proven one. Absent for an approved claim without a proven wallet. */
function OwnWallet({ ownClaim: { claim, provenWallet } }: { ownClaim: OwnClaim }) {
  const address = claim?.wallet ?? provenWallet?.address
  const isFixed = claim?.status === 'approved'
  if (address === undefined || (isFixed && !provenWallet)) return null
  return (
    <section className="grid gap-3 border-t border-hairline pt-5">
      <h3 className="label font-text">{WALLET_PROOF.title}</h3>
      <WalletProof address={address} proven={provenWallet} isFixed={isFixed} />
    </section>
  )
}

/** A stamp for states that Task Status at the top of the profile does not show; null for other states. */
function stampOf({ claim, slot }: OwnClaim): string | null {
  if (slot?.state === 'reserved') return YOUR_CLAIM.reserved
  if (claim?.status === 'held') return YOUR_CLAIM.held
  return claim?.status === 'rejected' ? YOUR_CLAIM.rejected : null
}

function EarlierCampaigns() {
  const campaigns = useData(ownCampaigns, { queryKey: ['own-campaigns'], staleTime: Infinity })
  const { data, isLoadingError, refetch } = campaigns
  if (isLoadingError) return <MissingSection title={ARCHIVE.yours} onRetry={() => void refetch()} />
  if (isFirstLoad(campaigns)) return <PendingSection />
  if (!data || data.length === 0) return null
  return (
    <ProfileSection title={ARCHIVE.yours}>
      <ul>
        {data.map(({ id, name, rank, totalPoints }) => (
          <li
            key={id}
            className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b border-hairline py-3"
          >
            <a href={archivePath(id)} className="standalone-link font-semibold">
              {name}
            </a>
            <span className="figures text-ink-soft">
              {rank !== null && `${ARCHIVE.yourRank({ rank })} · `}
              {ARCHIVE.yourPoints({ total: totalPoints })}
            </span>
          </li>
        ))}
      </ul>
    </ProfileSection>
  )
}
