import { useSyncExternalStore } from 'react'
import type { Provider } from './provider.ts'

/** A wallet that offers itself to this page; `name` and `icon` are its own words. */
export type Wallet = { id: string; name: string; icon?: string; provider: Provider }
type Found = { wallets: readonly Wallet[]; chosen?: Wallet | undefined }

/** How a wallet announces itself (EIP-6963). Anybody may send such an event, so nothing in it is certain. */
type Announcement = CustomEvent<
  { info?: Record<'uuid' | 'name' | 'icon', unknown>; provider?: Provider } | undefined
>

const NONE: Found = { wallets: [] }
/** The name of a wallet that has none; long names are cut. */
const NAMELESS = 'Wallet'
const LONGEST = 32

let found = NONE
const hearers = new Set<() => void>()

/** The wallets of this browser and the one that is asked; undefined where nobody looked yet. */
export function useWallets(): Found | undefined {
  return useSyncExternalStore<Found | undefined>(
    hearChanges,
    () => found,
    () => undefined,
  )
}

/** Looks once more; the wallet that is asked, if there is any. */
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

/** Wallets answer at once; one that is loaded later announces itself. */
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
    // Any other address would tell somebody who looks at this page.
    ...(icon.startsWith('data:image/') ? { icon } : {}),
  })
}

const asText = (given: unknown) => (typeof given === 'string' ? given : '')

function add(wallet: Wallet) {
  // One without a name was only there because none had announced itself.
  const wallets = [...found.wallets.filter(({ id }) => id !== NAMELESS), wallet]
  const chosen = wallets.find(({ id }) => id === found.chosen?.id) ?? wallets[0]
  tell({ wallets, chosen })
}

function tell(news: Found) {
  found = news
  for (const hear of hearers) hear()
}
