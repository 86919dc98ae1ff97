import { useState } from 'react'
import { WALLET } from '#web/content/wallet.ts'
import { askWallet } from '#web/features/wallet/ask-wallet.ts'
import type { Chain, Token } from '#web/features/wallet/ask-wallet.ts'
import { codeOf } from '#web/features/wallet/provider.ts'
import { chosenWallet } from '#web/features/wallet/wallets.ts'
import { Button } from '#web/ui/button.tsx'
import { Stamp } from '#web/ui/stamp.tsx'

type Said = { words: string; isAdded?: boolean }

/** Asks the chosen wallet to add the chain or, given a token, both; the outcome is shown below the button. */
export function AddToWallet({ chain, token }: { chain: Chain; token?: Token }) {
  const [said, say] = useState<Said>({ words: WALLET.rest })

  async function ask() {
    const wallet = chosenWallet()
    if (!wallet) return say({ words: WALLET.noWallet })
    const { name, provider } = wallet
    say({ words: WALLET.asking(name) })
    try {
      await askWallet(provider, chain, token)
      const words = token ? WALLET.tokenAdded(name, token.symbol) : WALLET.chainAdded(name, chain.name)
      say({ words, isAdded: true })
    } catch (error) {
      console.error('The wallet did not add it', error)
      say({ words: (WALLET.refusals[`${codeOf(error)}`] ?? WALLET.failed)(name) })
    }
  }

  return (
    <div className="needs-script">
      <Button variant="secondary" onClick={() => void ask()}>
        {token ? WALLET.addToken(token.symbol) : WALLET.addChain(chain.name)}
      </Button>
      <output className="wallet-says">
        {said.isAdded && <Stamp tone="proof">{WALLET.added}</Stamp>}
        <span>{said.words}</span>
      </output>
    </div>
  )
}
