import type { Allotment } from './verify.ts'

/**
 * Looks a wallet up.
 * @param wallet with its checksum.
 * @returns null if it is not in the allocation. @throws if that cannot be told.
 */
export type FindAllotment = (wallet: string) => Promise<Allotment | null>
