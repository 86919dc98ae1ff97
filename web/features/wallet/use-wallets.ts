import { useSyncExternalStore } from 'react'
import { foundWallets, subscribeToWallets, type WalletState } from './wallets.ts'

/** The wallets of this browser and the chosen one; undefined before discovery. */
export function useWallets(): WalletState | undefined {
  return useSyncExternalStore<WalletState | undefined>(subscribeToWallets, foundWallets, () => undefined)
}
