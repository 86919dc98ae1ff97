import { useQueryClient } from '@tanstack/react-query'
import { type ComponentType, useState } from 'react'
import { toast } from 'react-hot-toast/headless'
import { type ProvenWallet, removeWallet } from '#contract/accounts/wallets.ts'
import { SHARED_WORDS } from '#messages/shared.js'
import { WALLET_PROOF } from '#messages/wallet-proof.js'
import { call } from '#web/features/api/call.ts'
import { useChange } from '#web/features/api/use-change.ts'
import { OWN_CLAIM_QUERY } from '#web/features/claim/use-own-claim.ts'
import { Button } from '#web/ui/button.tsx'
import { shortenAddress } from '#web/ui/text/format.ts'
import { Stamp } from '#web/ui/stamp.tsx'
import type { SigningProps } from './signing.tsx'

type WalletProofProps = {
  /** The wallet that was typed, or the claim's wallet. */
  address: string
  proven: ProvenWallet | null
  /** Whether the claim is approved, after which the proof can no longer change. */
  isFixed?: boolean
  /** Fills in the proven address: on request, or after a wallet was proven while the field was empty. */
  onAddress?: (address: string) => void
}

export function WalletProof({ address, proven, isFixed = false, onAddress }: WalletProofProps) {
  const queries = useQueryClient()
  const typed = address.trim()
  const isProven = proven?.address.toLowerCase() === typed.toLowerCase()

  return (
    // Takes the focus when the button that was pressed disappears.
    <div
      role="group"
      tabIndex={-1}
      aria-label={WALLET_PROOF.group}
      className="grid justify-items-start gap-1"
    >
      {proven && (isProven ? <Proven {...proven} /> : <OtherProven {...proven} />)}
      {!isProven && !isFixed && (
        <Prove
          address={typed}
          onProven={(provenAddress) => {
            if (typed === '') onAddress?.(provenAddress)
            return queries.invalidateQueries({ queryKey: OWN_CLAIM_QUERY })
          }}
        />
      )}
      {proven && !isFixed && (
        <div className="flex flex-wrap gap-x-5">
          {!isProven && onAddress && (
            <Button variant="quiet" size="compact" onClick={() => onAddress(proven.address)}>
              {WALLET_PROOF.takeProven}
            </Button>
          )}
          <Remove />
        </div>
      )}
    </div>
  )
}

function Proven({ address }: ProvenWallet) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <Stamp tone="proof">{WALLET_PROOF.proven}</Stamp>
      <span title={address}>{WALLET_PROOF.provenWith({ address: shortenAddress(address) })}</span>
    </p>
  )
}

function OtherProven({ address }: ProvenWallet) {
  return (
    <p className="text-sm" title={address}>
      {WALLET_PROOF.otherProven({ address: shortenAddress(address) })}
    </p>
  )
}

type ProveProps = Pick<SigningProps, 'address'> & { onProven: (address: string) => Promise<void> }

/** Loads the code that talks to wallets when the button is pressed. Each press asks the wallet again. */
function Prove({ address, onProven }: ProveProps) {
  const [Signing, setSigning] = useState<ComponentType<SigningProps>>()
  const [presses, setPresses] = useState(0)
  async function open() {
    try {
      const loaded = await import('./signing.tsx')
      setSigning(() => loaded.Signing)
      setPresses((count) => count + 1)
    } catch (error) {
      console.error('The panel for signing failed to load', error)
      toast.error(SHARED_WORDS.partMissing)
    }
  }
  return (
    <>
      <Button variant="quiet" size="compact" onClick={() => void open()}>
        {WALLET_PROOF.button}
      </Button>
      <p className="max-w-[62ch] text-sm text-ink-soft">{WALLET_PROOF.lead}</p>
      {Signing && (
        <Signing
          key={presses}
          address={address}
          onProven={({ wallet, message }) => {
            toast.success(message || WALLET_PROOF.done)
            return onProven(wallet.address)
          }}
        />
      )}
    </>
  )
}

function Remove() {
  const { mutate, isPending } = useChange({
    send: () => call(removeWallet, {}),
    affects: [OWN_CLAIM_QUERY],
    reportOf: ({ message }) => message || WALLET_PROOF.done,
    fallback: WALLET_PROOF.failed,
  })
  return (
    <Button variant="quiet" size="compact" isPending={isPending} onClick={() => mutate()}>
      {WALLET_PROOF.remove}
    </Button>
  )
}
