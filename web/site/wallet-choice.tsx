import { WALLET } from '#messages/wallet.js'
import { useWallets } from '#web/features/wallet/use-wallets.ts'
import { chooseWallet, type Wallet } from '#web/features/wallet/wallets.ts'

/** The wallets of this browser, with a choice if there are several. */
export function WalletChoice() {
  const { wallets, chosen } = useWallets() ?? {}
  const several = wallets !== undefined && wallets.length > 1
  return (
    <section aria-labelledby="wallets-title" className="needs-script wallets sheet p-5 sm:p-6">
      <h3 id="wallets-title" className="label font-text">
        {several ? WALLET.choose : WALLET.here}
      </h3>
      {wallets?.length === 0 && <p className="text-sm">{WALLET.noWallet}</p>}
      {wallets?.map((wallet) => (
        <label key={wallet.id} className="wallet">
          {several && (
            <input
              type="radio"
              name="wallet"
              checked={wallet === chosen}
              onChange={() => chooseWallet(wallet)}
            />
          )}
          <WalletName wallet={wallet} />
        </label>
      ))}
    </section>
  )
}

function WalletName({ wallet: { name, icon } }: { wallet: Wallet }) {
  return (
    <>
      {icon && <img src={icon} alt="" width="24" height="24" />}
      <span dir="auto">{name}</span>
    </>
  )
}
