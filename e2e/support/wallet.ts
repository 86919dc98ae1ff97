import type { BrowserContext } from '@playwright/test'
import { type Hex, hexToString } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'

/** The user's answer to a prompt. `later` leaves the prompt open. */
type Answer = 'yes' | 'no' | 'later'
type Call = { method: string; params?: unknown }
type Reply = { result: unknown } | { error: { code: number; message: string } }

type PromptingWallet = {
  name: string
  icon: string
  /** The user's next answers. After the last one, the user answers yes. */
  answers: Answer[]
  isLocked: boolean
  /** The methods that pages have called. */
  methods: string[]
  /** The error to reply with, by method. */
  refusals: Map<string, { code: number; message: string }>
  answerPrompt: (answer: 'yes' | 'no') => void
  request: (call: Call) => Promise<Reply>
}

/** A fake browser wallet with one account. It knows Ethereum and prompts its user before any change. */
export type Wallet = PromptingWallet & {
  /** The parameters of each known chain, by its id. */
  chains: Map<number, unknown>
  chain: number
  /** The added tokens as the page described them, and the chain at that time. */
  listed: { chain: number; asset: unknown }[]
}

/** A fake browser wallet that signs messages, and knows no chain. */
export type SigningWallet = PromptingWallet & {
  /** The accounts that pages see, the selected account first. */
  accounts: PrivateKeyAccount[]
  /** The messages that it has signed. */
  signed: string[]
}

class Refusal extends Error {
  code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const ETHEREUM = 1
const INTERNAL_ERROR = -32603
const ICON = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="teal"/></svg>')}`

/** Prompts the user. @throws if they decline. */
type Ask = () => Promise<void>
type Appearance = { name?: string; icon?: string }

/** @param answerTo returns the result of a call, or throws a {@link Refusal} */
function makePromptingWallet(
  { name = 'Test Wallet', icon = ICON }: Appearance,
  answerTo: (call: Call, ask: Ask) => Promise<unknown>,
): PromptingWallet {
  let resolvePrompt: ((answer: Answer) => void) | undefined
  const wallet: PromptingWallet = {
    name,
    icon,
    answers: [],
    isLocked: false,
    methods: [],
    refusals: new Map(),
    answerPrompt: (answer) => resolvePrompt?.(answer),
    async request(call) {
      wallet.methods.push(call.method)
      try {
        const refusal = wallet.refusals.get(call.method)
        if (refusal) throw new Refusal(refusal.code, refusal.message)
        return { result: await answerTo(call, ask) }
      } catch (error) {
        const { code = INTERNAL_ERROR, message } = error as Error & { code?: number }
        return { error: { code, message } }
      }
    },
  }

  const ask = async () => {
    if (resolvePrompt) throw new Refusal(-32002, 'Request already pending. Please wait.')
    let answer = wallet.answers.shift() ?? 'yes'
    if (answer === 'later') answer = await new Promise<Answer>((resolve) => (resolvePrompt = resolve))
    resolvePrompt = undefined
    if (answer === 'no') throw new Refusal(4001, 'User rejected the request.')
  }
  return wallet
}

/** A wallet that shows these accounts when it is unlocked. */
export function makeSigningWallet(accounts: PrivateKeyAccount[], appearance: Appearance = {}): SigningWallet {
  const wallet: SigningWallet = Object.assign(
    makePromptingWallet(appearance, async ({ method, params }, ask) => {
      const shown = () => wallet.accounts.map(({ address }) => address.toLowerCase())
      if (method === 'eth_accounts') return wallet.isLocked ? [] : shown()
      if (method === 'eth_requestAccounts') {
        if (wallet.isLocked) await ask()
        wallet.isLocked = false
        return shown()
      }
      if (method !== 'personal_sign') throw new Refusal(4200, `The method ${method} is not supported.`)
      const [message, from] = params as [Hex, string]
      const account = wallet.accounts.find(({ address }) => address.toLowerCase() === from)
      if (!account) throw new Refusal(4100, 'The account is not authorized.')
      await ask()
      wallet.signed.push(hexToString(message))
      return account.signMessage({ message: { raw: message } })
    }),
    { accounts, signed: [] },
  )
  return wallet
}

/** A wallet that adds what its user agrees to. It does not switch to an added chain on its own. */
export function makeWallet(appearance: Appearance = {}): Wallet {
  const wallet: Wallet = Object.assign(makePromptingWallet(appearance, answerTo), {
    chains: new Map<number, unknown>([[ETHEREUM, 'Ethereum']]),
    chain: ETHEREUM,
    listed: [],
  })

  async function answerTo({ method, params }: Call, ask: Ask): Promise<unknown> {
    if (method === 'eth_chainId') return `0x${wallet.chain.toString(16)}`
    if (method === 'eth_requestAccounts') {
      if (wallet.isLocked) await ask()
      wallet.isLocked = false
      return [`0x${'12'.repeat(20)}`]
    }
    if (wallet.isLocked) throw new Refusal(4100, 'The wallet is locked.')
    if (method === 'wallet_watchAsset') {
      await ask()
      wallet.listed.push({ chain: wallet.chain, asset: params })
      return true
    }
    const isAdding = method === 'wallet_addEthereumChain'
    if (!isAdding && method !== 'wallet_switchEthereumChain')
      throw new Refusal(4200, `The method ${method} is not supported.`)
    const [chain] = params as [{ chainId: string }]
    const id = Number(chain.chainId)
    if (!isAdding && !wallet.chains.has(id))
      throw new Refusal(4902, `Unrecognized chain ID "${chain.chainId}".`)
    if (isAdding || wallet.chain !== id) await ask()
    if (isAdding) wallet.chains.set(id, chain)
    else wallet.chain = id
    return null
  }
  return wallet
}

/**
 * Installs wallets in the browser, like extensions. Each announces itself (EIP-6963) at load and on request.
 * @param options.isLegacy there is one wallet, which only sets `window.ethereum`
 */
export async function install(
  context: BrowserContext,
  wallets: readonly PromptingWallet[],
  { isLegacy = false } = {},
) {
  await context.exposeBinding('askWallet', (_source, index: number, call: Call) =>
    wallets[index]?.request(call),
  )
  const infos = wallets.map(({ name, icon }, index) => ({ uuid: `${index}`, name, icon, rdns: 'test' }))
  await context.addInitScript(
    (installed) => {
      type Bound = { askWallet: (index: number, call: unknown) => Promise<Reply> }
      const { askWallet } = window as unknown as Bound
      const providers = installed.infos.map((_, index) => ({
        async request(call: unknown) {
          // Errors thrown across the binding would lose their code.
          const reply = await askWallet(index, call)
          if ('error' in reply) throw Object.assign(new Error(reply.error.message), reply.error)
          return reply.result
        },
      }))
      if (installed.isLegacy) {
        Object.assign(window, { ethereum: providers[0] })
        return
      }
      const announce = () =>
        installed.infos.forEach((info, index) =>
          dispatchEvent(
            new CustomEvent('eip6963:announceProvider', {
              detail: Object.freeze({ info, provider: providers[index] }),
            }),
          ),
        )
      addEventListener('eip6963:requestProvider', announce)
      announce()
    },
    { infos, isLegacy },
  )
}
