import type { Rpc } from '#contract/token-proofs/rpc.ts'
import * as contract from '#contract/accounts/wallets.ts'
import type { Deps } from '#server/deps.ts'
import { messages } from '#server/messages/success-messages.ts'
import { route, type Route } from '#server/platform/http/route.ts'
import { beginProvingWallet, finishProvingWallet } from './prove-wallet.ts'
import { removeWallet } from './proven-wallet.ts'

type WalletParts = {
  /** Without a trailing slash. */
  publicUrl: string
  /** Fails if the node serves another chain than the campaign's. */
  rpc: Rpc
}

export const walletRoutes = (deps: Deps, { publicUrl, rpc }: WalletParts): Route[] => [
  route(contract.beginWallet, async ({ body, caller }) => ({
    data: await beginProvingWallet(deps, publicUrl, { ...body, userId: caller.userId }),
  })),
  route(contract.finishWallet, async ({ body, caller, network }) => ({
    data: await finishProvingWallet(deps, rpc, { ...body, userId: caller.userId, network }),
    message: messages.walletProven,
  })),
  route(contract.removeWallet, async ({ caller, network }) => {
    await removeWallet(deps, { userId: caller.userId, network })
    return { message: messages.walletRemoved }
  }),
]
