import type { AllocationSummary } from '#contract/allocation.ts'
import { ALLOCATION } from '#messages/allocation.js'
import { foundWallets, subscribeToWallets, type Wallet } from '#web/features/wallet/wallets.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { element } from '#web/ui/element.ts'
import { failureOf, resultOf } from './show-result.ts'
import { type FindAllotment, readAddress } from './verify.ts'

/** Makes the form that checks a wallet interactive. A wallet after `#` in the URL is checked right away. */
export function startCheck(section: HTMLElement, summary: AllocationSummary, find: FindAllotment): void {
  const parts = partsOf(section)
  let latest: symbol | undefined

  async function check() {
    const address = readAddress(parts.input.value)
    if ('fault' in address) {
      showFault(parts, ALLOCATION.faults[address.fault])
      return parts.input.focus()
    }
    showFault(parts, '')
    const { wallet } = address
    // A slow lookup must not replace the result of a later one.
    const lookup = Symbol(wallet)
    latest = lookup
    setPending(parts, true)
    const result = await lookUp(wallet, summary, find)
    if (lookup !== latest) return
    parts.result.replaceChildren(result)
    setPending(parts, false)
  }

  parts.form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (parts.button.ariaDisabled !== 'true') void check()
  })
  const showWallets = () =>
    parts.wallets.replaceChildren(
      ...foundWallets().wallets.map((wallet) =>
        walletButton(wallet, async () => {
          const account = await askForAccount(wallet)
          if (account === undefined) return showFault(parts, ALLOCATION.walletRefused)
          parts.input.value = account
          await check()
        }),
      ),
    )
  subscribeToWallets(showWallets)
  showWallets()
  const checkWalletInHash = () => {
    const wallet = location.hash.slice(1)
    if (!wallet.startsWith('0x')) return
    parts.input.value = wallet
    void check()
  }
  addEventListener('hashchange', checkWalletInHash)
  checkWalletInHash()
}

type Parts = ReturnType<typeof partsOf>

/** The elements that web/site/sections/allocation-check.tsx marks with `data-part`. */
function partsOf(section: HTMLElement) {
  const part = (name: string) => {
    const match = section.querySelector<HTMLElement>(`[data-part="${name}"]`)
    if (!match) throw new Error(`The check has no ${name}`)
    return match
  }
  return {
    form: part('form') as HTMLFormElement,
    input: part('input') as HTMLInputElement,
    button: part('button') as HTMLButtonElement,
    fault: part('fault'),
    wallets: part('wallets'),
    result: part('result'),
  }
}

function showFault({ input, fault }: Parts, text: string) {
  fault.textContent = text
  if (text === '') input.removeAttribute('aria-invalid')
  else input.setAttribute('aria-invalid', 'true')
}

function setPending({ button, result }: Parts, isPending: boolean) {
  // Not `disabled`, which would take the focus away.
  button.ariaDisabled = isPending ? 'true' : null
  button.textContent = isPending ? ALLOCATION.checking : ALLOCATION.check
  result.toggleAttribute('data-stale', isPending)
}

async function lookUp(wallet: string, summary: AllocationSummary, find: FindAllotment): Promise<HTMLElement> {
  try {
    return resultOf(await find(wallet), wallet, summary)
  } catch (error) {
    console.error('Looking up a wallet failed', error)
    return failureOf(wallet)
  }
}

function walletButton({ name, icon }: Wallet, onClick: () => Promise<void>): HTMLButtonElement {
  const image = icon === undefined ? [] : [element('img', { src: icon, alt: '', width: '20', height: '20' })]
  const label = element('bdi', {}, ALLOCATION.askWallet({ name }))
  const button = element('button', { type: 'button', class: buttonStyle('secondary') }, ...image, label)
  button.addEventListener('click', () => void onClick())
  return button
}

/** The first account that the wallet shares; undefined if it shares none. */
async function askForAccount({ provider }: Wallet): Promise<string | undefined> {
  try {
    const accounts = await provider.request({ method: 'eth_requestAccounts' })
    const [account] = Array.isArray(accounts) ? (accounts as unknown[]) : []
    return typeof account === 'string' ? account : undefined
  } catch (error) {
    console.error('The wallet shared no address', error)
    return undefined
  }
}
