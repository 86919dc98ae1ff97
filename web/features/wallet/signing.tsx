import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ProvenWallet } from '#contract/accounts/wallets.ts'
import { SIGNING } from '#messages/signing.js'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { proveWallet } from './prove-wallet.ts'
import { useWallets } from './use-wallets.ts'
import { discoverWallets, type Wallet } from './wallets.ts'

export type SigningProps = {
  /** The address to prove; if empty, the wallet's own. */
  address: string
  onProven: (proven: { wallet: ProvenWallet; message: string }) => Promise<void>
}

/** Asks the browser's only wallet right away, or lets the participant choose one. Shows the outcome. */
export function Signing({ address, onProven }: SigningProps) {
  const { wallets = [] } = useWallets() ?? {}
  const { mutate, isPending, error, variables } = useMutation({
    mutationFn: (wallet: Wallet) => proveWallet(wallet, address),
    onSuccess: onProven,
  })
  useEffect(() => {
    const [only, ...others] = discoverWallets().wallets
    if (only && others.length === 0) mutate(only)
  }, [mutate])
  return (
    <>
      <output className={classes('mt-1.5 max-w-[62ch] text-sm', error && 'font-semibold text-accent-text')}>
        {isPending ? SIGNING.asking({ name: variables.name }) : (error?.message ?? adviceFor(wallets.length))}
      </output>
      {wallets.length > 1 && (
        <ul className="mt-1.5 flex flex-wrap gap-2">
          {wallets.map((wallet) => (
            <li key={wallet.id}>
              <Button variant="secondary" size="compact" isPending={isPending} onClick={() => mutate(wallet)}>
                {wallet.icon && (
                  <img src={wallet.icon} alt="" width="20" height="20" className="rounded-sm" />
                )}
                <span className="wrap-anywhere">{SIGNING.signWith({ name: wallet.name })}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function adviceFor(walletCount: number): string {
  if (walletCount === 0) return SIGNING.noWallet
  return walletCount > 1 ? SIGNING.choose : ''
}
