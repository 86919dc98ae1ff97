import { useSyncExternalStore } from 'react'
import { foundWallets, subscribeToWallets, type WalletState } from './wallets.ts'

/** The browser's wallets and the chosen one; undefined on the server and during hydration. */
export function useWallets(): WalletState | undefined {
  return useSyncExternalStore<WalletState | undefined>(subscribeToWallets, foundWallets, () => undefined)
}
