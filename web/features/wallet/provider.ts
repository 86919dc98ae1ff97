/** What a wallet is to a page (EIP-1193): it is asked, and answers or refuses. */
export type Provider = {
  request(question: { method: string; params?: unknown }): Promise<unknown>
}

/**
 * The code of a wallet's refusal; undefined for whatever else was thrown. Some wallets wrap the code that
 * matters into a general one.
 */
export function codeOf(error: unknown): number | undefined {
  const { code, data } = (error ?? {}) as { code?: number; data?: { originalError?: { code?: number } } }
  return data?.originalError?.code ?? code
}
