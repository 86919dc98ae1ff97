import { useSyncExternalStore } from 'react'
import type { Provider } from './provider.ts'

/** A wallet found in this browser; `name` and `icon` are supplied by the wallet. */
export type Wallet = { id: string; name: string; icon?: string; provider: Provider }
type Found = { wallets: readonly Wallet[]; chosen?: Wallet | undefined }

/** The announcement event of EIP-6963. Any script can dispatch it, so its content is untrusted. */
type Announcement = CustomEvent<
  { info?: Record<'uuid' | 'name' | 'icon', unknown>; provider?: Provider } | undefined
>

const NONE: Found = { wallets: [] }
/** Fallback name; long names are truncated. */
const NAMELESS = 'Wallet'
const LONGEST = 32

let found = NONE
const hearers = new Set<() => void>()

/** The wallets of this browser and the chosen one; undefined before discovery. */
export function useWallets(): Found | undefined {
  return useSyncExternalStore<Found | undefined>(
    hearChanges,
    () => found,
    () => undefined,
  )
}

/** Repeats the discovery and returns the chosen wallet, if any. */
export function chosenWallet(): Wallet | undefined {
  look()
  return found.chosen
}

export function chooseWallet(chosen: Wallet): void {
  tell({ ...found, chosen })
}

function hearChanges(hear: () => void) {
  hearers.add(hear)
  look()
  return () => void hearers.delete(hear)
}

/** Wallets announce themselves synchronously; those loaded later do so on their own. */
function look() {
  addEventListener('eip6963:announceProvider', noteWallet as EventListener)
  dispatchEvent(new Event('eip6963:requestProvider'))
  const { ethereum } = window as { ethereum?: Provider }
  if (ethereum && found === NONE) add({ id: NAMELESS, name: NAMELESS, provider: ethereum })
}

function noteWallet({ detail }: Announcement) {
  const { info, provider } = detail ?? {}
  const id = asText(info?.uuid)
  if (!provider || found.wallets.some((wallet) => wallet.id === id)) return
  const icon = asText(info?.icon)
  add({
    id,
    name: asText(info?.name).slice(0, LONGEST) || NAMELESS,
    provider,
    // A remote icon would reveal visitors of this page to its host.
    ...(icon.startsWith('data:image/') ? { icon } : {}),
  })
}

const asText = (given: unknown) => (typeof given === 'string' ? given : '')

function add(wallet: Wallet) {
  // A nameless wallet is the fallback until one announces itself.
  const wallets = [...found.wallets.filter(({ id }) => id !== NAMELESS), wallet]
  const chosen = wallets.find(({ id }) => id === found.chosen?.id) ?? wallets[0]
  tell({ wallets, chosen })
}

function tell(news: Found) {
  found = news
  for (const hear of hearers) hear()
}
