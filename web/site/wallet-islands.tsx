import { useState } from 'react'
import { WALLET } from '#messages/wallet.js'
import { addToWallet, type Chain, type Token, codeOf } from '#web/features/wallet/ask-wallet.ts'
import { chooseWallet, discoverWallets } from '#web/features/wallet/wallets.ts'
import { Button } from '#web/ui/button.tsx'
import { Stamp } from '#web/ui/stamp.tsx'
import { useWallets } from '#web/features/wallet/use-wallets.ts'

/** The texts for refusals, by the code of the wallet's error. */
const REFUSALS: Readonly<Record<string, typeof WALLET.failed>> = WALLET.refusals

type Status = { text: string; isAdded?: boolean }

/** Asks the chosen wallet to add the chain and, if given, the token. */
export function AddToWallet({ chain, token }: { chain: Chain; token?: Token }) {
  const [status, setStatus] = useState<Status>({ text: WALLET.idle })

  async function add() {
    const { chosen } = discoverWallets()
    if (!chosen) return setStatus({ text: WALLET.noWallet })
    const { name, provider } = chosen
    setStatus({ text: WALLET.asking({ name }) })
    try {
      await addToWallet(provider, chain, token)
      const text = token
        ? WALLET.tokenAdded({ name, symbol: token.symbol })
        : WALLET.chainAdded({ name, chain: chain.name })
      setStatus({ text, isAdded: true })
    } catch (error) {
      console.error('Adding to the wallet failed', error)
      setStatus({ text: (REFUSALS[`${codeOf(error)}`] ?? WALLET.failed)({ name }) })
    }
  }

  return (
    <div className="needs-script">
      <Button variant="secondary" onClick={() => void add()}>
        {token ? WALLET.addToken({ symbol: token.symbol }) : WALLET.addChain({ chain: chain.name })}
      </Button>
      <output className="wallet-status">
        {status.isAdded && <Stamp tone="proof">{WALLET.added}</Stamp>}
        <span>{status.text}</span>
      </output>
    </div>
  )
}

export function WalletChoice() {
  const { wallets, chosen } = useWallets() ?? {}
  const hasSeveral = wallets !== undefined && wallets.length > 1
  return (
    <section aria-labelledby="wallets-title" className="needs-script wallets sheet p-5 sm:p-6">
      <h3 id="wallets-title" className="label font-text">
        {hasSeveral ? WALLET.choose : WALLET.found}
      </h3>
      {wallets?.length === 0 && <p className="text-sm">{WALLET.noWallet}</p>}
      {wallets?.map((wallet) => (
        <label key={wallet.id} className="wallet">
          {hasSeveral && (
            <input
              type="radio"
              name="wallet"
              checked={wallet === chosen}
              onChange={() => chooseWallet(wallet)}
            />
          )}
          {wallet.icon && <img src={wallet.icon} alt="" width="24" height="24" />}
          <span dir="auto">{wallet.name}</span>
        </label>
      ))}
    </section>
  )
}
