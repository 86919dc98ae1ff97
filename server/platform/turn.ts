import { AsyncLocalStorage } from 'node:async_hooks'
import type { Turn } from './fair-queue.ts'

const turns = new AsyncLocalStorage<Turn>()

/** Everything that `work` waits for below is counted for this call and this network. */
export function withTurn<T>(turn: Turn, work: () => T): T {
  return turns.run(turn, work)
}

/** Whose work this is; that of the program itself where no call began it. */
export function currentTurn(): Turn {
  return turns.getStore() ?? { lane: 'program', caller: 'program' }
}
