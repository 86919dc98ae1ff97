import type { Provider } from './ask-wallet.ts'

/** A wallet found in this browser. The wallet supplies `name` and `icon`. */
export type Wallet = { id: string; name: string; icon?: string; provider: Provider }
/** `chosen`: by the visitor; until then, the first. */
export type WalletState = { wallets: readonly Wallet[]; chosen?: Wallet | undefined }

/** The announcement event of EIP-6963. Untrusted, because any script can dispatch it. */
type Announcement = CustomEvent<
  { info?: Record<'uuid' | 'name' | 'icon', unknown>; provider?: Provider } | undefined
>

const INITIAL: WalletState = { wallets: [] }
const FALLBACK_NAME = 'Wallet'
/** The id of `window.ethereum`, which has neither id nor name. */
const LEGACY_ID = 'legacy'
const MAX_NAME_LENGTH = 32

let state = INITIAL
const listeners = new Set<() => void>()

export const foundWallets = (): WalletState => state

export function chooseWallet(chosen: Wallet): void {
  setState({ ...state, chosen })
}

/** Looks for wallets, and calls back when one is found or chosen. @returns a function that unsubscribes. */
export function subscribeToWallets(listener: () => void) {
  listeners.add(listener)
  discoverWallets()
  return () => void listeners.delete(listener)
}

/** Looks for wallets and returns the known ones. Others may still announce themselves later. */
export function discoverWallets(): WalletState {
  addEventListener('eip6963:announceProvider', handleAnnouncement as EventListener)
  dispatchEvent(new Event('eip6963:requestProvider'))
  const { ethereum } = window as { ethereum?: Provider }
  if (ethereum && state === INITIAL) add({ id: LEGACY_ID, name: FALLBACK_NAME, provider: ethereum })
  return state
}

function handleAnnouncement({ detail }: Announcement) {
  const { info, provider } = detail ?? {}
  const id = asText(info?.uuid)
  if (!provider || state.wallets.some((wallet) => wallet.id === id)) return
  const icon = asText(info?.icon)
  add({
    id,
    name: asText(info?.name).slice(0, MAX_NAME_LENGTH) || FALLBACK_NAME,
    provider,
    // A remote icon would reveal the page's visitors to its host.
    ...(icon.startsWith('data:image/') ? { icon } : {}),
  })
}

const asText = (value: unknown) => (typeof value === 'string' ? value : '')

function add(wallet: Wallet) {
  // `window.ethereum` is only the fallback until a wallet announces itself.
  const wallets = [...state.wallets.filter(({ id }) => id !== LEGACY_ID), wallet]
  const chosen = wallets.find(({ id }) => id === state.chosen?.id) ?? wallets[0]
  setState({ wallets, chosen })
}

function setState(next: WalletState) {
  state = next
  for (const listener of listeners) listener()
}
