import * as contract from '#contract/token-proofs.ts'
import { publicRoute, type Route } from '#server/platform/http/route.ts'
import type { ReadProofs } from './read-proofs.ts'

export const proofRoutes = (readProofs: ReadProofs): Route[] => [
  publicRoute(contract.tokenProofs, async () => ({ data: [...(await readProofs())] })),
]
