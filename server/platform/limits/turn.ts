import { AsyncLocalStorage } from 'node:async_hooks'

/** Scheduling key: lanes are served round-robin, and so are the callers of each lane. */
export type Turn = { lane: string; caller: string }

const turns = new AsyncLocalStorage<Turn>()

/** Runs `work` with this turn as the context of every fair queue below it. */
export function withTurn<T>(turn: Turn, work: () => T): T {
  return turns.run(turn, work)
}

/** The turn of the current call, or of the program itself outside any call. */
export function currentTurn(): Turn {
  return turns.getStore() ?? { lane: 'program', caller: 'program' }
}
