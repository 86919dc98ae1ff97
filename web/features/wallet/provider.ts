/** A wallet's provider (EIP-1193). */
export type Provider = {
  request(call: { method: string; params?: unknown }): Promise<unknown>
}

/** The code of a provider error, unwrapped; undefined for other errors. */
export function codeOf(error: unknown): number | undefined {
  const { code, data } = (error ?? {}) as { code?: number; data?: { originalError?: { code?: number } } }
  return data?.originalError?.code ?? code
}
