import { AsyncLocalStorage } from 'node:async_hooks'

/** A place in a fair queue. It serves lanes (kinds of work) in turn, and the callers of a lane in turn. */
export type Turn = { lane: string; caller: string }

const turns = new AsyncLocalStorage<Turn>()

/** Runs `work`, during which {@link currentTurn} returns this turn. */
export function withTurn<T>(turn: Turn, work: () => T): T {
  return turns.run(turn, work)
}

/** The turn of the current call, or of the program itself outside any call. */
export function currentTurn(): Turn {
  return turns.getStore() ?? { lane: 'program', caller: 'program' }
}

type Lane<Item> = { length: number; callers: Map<string, Item[]> }

export type TurnQueue<Item extends object> = ReturnType<typeof createTurnQueue<Item>>

/** A queue that serves by turns and keeps each caller's own items in order. */
export function createTurnQueue<Item extends object>() {
  // Insertion order is the order of turns.
  const lanes = new Map<string, Lane<Item>>()

  /** @returns whether the item was still queued. */
  function remove({ lane: name, caller }: Turn, item: Item): boolean {
    const lane = lanes.get(name)
    const items = lane?.callers.get(caller)
    const index = items?.indexOf(item) ?? -1
    if (!lane || !items || index < 0) return false
    items.splice(index, 1)
    lane.length -= 1
    if (items.length === 0) lane.callers.delete(caller)
    if (lane.length === 0) lanes.delete(name)
    return true
  }

  return {
    remove,
    isEmpty: () => lanes.size === 0,
    lengthOf: (lane: string) => lanes.get(lane)?.length ?? 0,
    itemsOf: ({ lane, caller }: Turn): readonly Item[] => lanes.get(lane)?.callers.get(caller) ?? [],
    add({ lane: name, caller }: Turn, item: Item) {
      const lane = lanes.get(name) ?? { length: 0, callers: new Map<string, Item[]>() }
      const items = lane.callers.get(caller) ?? []
      items.push(item)
      lane.length += 1
      lane.callers.set(caller, items)
      lanes.set(name, lane)
    },
    /** Removes the first item of the next caller that `mayRun` allows; lane and caller go to the back. */
    takeNext(mayRun: (caller: string) => boolean): { caller: string; item: Item } | undefined {
      for (const [name, lane] of lanes)
        for (const [caller, [item]] of lane.callers) {
          if (!item || !mayRun(caller)) continue
          remove({ lane: name, caller }, item)
          moveToBack(lane.callers, caller)
          moveToBack(lanes, name)
          return { caller, item }
        }
      return undefined
    },
    longestOf(lane: string): { caller: string; items: readonly Item[] } {
      let longest = { caller: '', items: [] as readonly Item[] }
      for (const [caller, items] of lanes.get(lane)?.callers ?? [])
        if (items.length > longest.items.length) longest = { caller, items }
      return longest
    },
    /** The items of each caller, in order of turns; items may be removed meanwhile. */
    *entries(): Generator<[Turn, readonly Item[]]> {
      for (const [lane, { callers }] of lanes)
        for (const [caller, items] of callers) yield [{ lane, caller }, items]
    },
  }
}

function moveToBack<Value>(map: Map<string, Value>, key: string) {
  const value = map.get(key)
  if (value !== undefined && map.delete(key)) map.set(key, value)
}
