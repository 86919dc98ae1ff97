import { useSyncExternalStore } from 'react'
import { foundWallets, subscribeToWallets, type WalletState } from './wallets.ts'

/** The wallets of this browser and the chosen one; undefined on the server and while a page is hydrated. */
export function useWallets(): WalletState | undefined {
  return useSyncExternalStore<WalletState | undefined>(subscribeToWallets, foundWallets, () => undefined)
}
