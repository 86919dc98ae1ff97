import * as z from 'zod/mini'
import { endpoint } from '../protocol/endpoint.ts'
import { MessageReply } from '../entities.ts'

export const ProvenWallet = z.object({
  /** With its EIP-55 checksum. */
  address: z.string(),
  /** `contract`: a smart wallet, whose contract accepted the signature (ERC-1271). */
  kind: z.enum(['account', 'contract']),
  since: z.string(),
})
export type ProvenWallet = z.output<typeof ProvenWallet>

/** Larger than one signature: a wallet with many owners joins theirs, and some wallets add proofs. */
const MAX_SIGNATURE_BYTES = 4096

export const beginWallet = endpoint('POST /wallet/begin', {
  access: 'participant',
  invalidatesCacheOf: [], // no public answer changes
  summary:
    'Start proving that a wallet is yours. Returns the message (EIP-4361) to sign with it (`personal_sign`), which is valid for ten minutes. No transaction is involved.',
  limits: [
    { per: 'account', take: 10, seconds: 600 },
    { per: 'network', take: 60, seconds: 600 },
  ],
  body: z.strictObject({ wallet: z.string().check(z.maxLength(60, 'wallet_format')) }),
  status: 201,
  reply: z.object({ data: z.object({ nonce: z.string(), message: z.string() }) }),
  refusals: ['wallet_fixed'],
})

export const finishWallet = endpoint('POST /wallet/finish', {
  access: 'participant',
  invalidatesCacheOf: [],
  summary:
    'Prove the wallet with the signature of the message that has this nonce. A message can be used only once, whatever the result. Repeats the automatic check of your claim.',
  limits: [
    { per: 'account', take: 20, seconds: 600 },
    { per: 'network', take: 120, seconds: 600 },
  ],
  body: z.strictObject({
    nonce: z.string().check(z.regex(/^[0-9a-f]{32}$/, 'id_format')),
    signature: z
      .string()
      .check(
        z.maxLength(2 + 2 * MAX_SIGNATURE_BYTES, 'signature_long'),
        z.regex(/^0x(?:[0-9a-fA-F]{2})*$/, 'signature_format'),
      ),
  }),
  reply: z.extend(MessageReply, { data: ProvenWallet }),
  refusals: [
    'wallet_message_expired',
    'signature_wrong',
    'signature_length',
    'signature_unchecked',
    'wallet_proven',
    'wallet_fixed',
  ],
})

export const removeWallet = endpoint('DELETE /wallet', {
  access: 'participant',
  invalidatesCacheOf: [],
  summary: 'Remove your proven wallet; not possible once a claim of yours is approved. Idempotent.',
  limits: [{ per: 'account', take: 10, seconds: 600 }],
  reply: MessageReply,
  refusals: ['wallet_fixed'],
})
