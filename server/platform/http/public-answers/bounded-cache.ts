type Limits<Value> = {
  maxEntries: number
  maxWeight: number
  weigh: (value: Value, key: string) => number
}

/** @property wasHit whether a regular was asked for since it got in line. */
type Entry<Value> = { value: Value; weight: number; wasHit: boolean }
type Queue<Value> = { entries: Map<string, Entry<Value>>; weight: number }

/** The share of the limits that newcomers may take from regulars. */
const NEWCOMER_SHARE = 0.2

/**
 * A bounded cache that made-up keys cannot fill. An entry is a newcomer until it is first asked for, and then
 * a regular. Newcomers take at most a fifth of the cache from regulars. The first regular in line is evicted,
 * or goes to the end of the line if it was asked for meanwhile (CLOCK). A hit only sets a flag, which is
 * cheaper than keeping the order of use.
 */
export function createBoundedCache<Value>(limits: Limits<Value>) {
  const { maxEntries, maxWeight, weigh } = limits
  const newcomers: Queue<Value> = { entries: new Map(), weight: 0 }
  const regulars: Queue<Value> = { entries: new Map(), weight: 0 }

  const exceedsLimits = () =>
    newcomers.entries.size + regulars.entries.size > maxEntries ||
    newcomers.weight + regulars.weight > maxWeight
  const mustEvictNewcomer = () =>
    regulars.entries.size === 0 ||
    newcomers.entries.size > maxEntries * NEWCOMER_SHARE ||
    newcomers.weight > maxWeight * NEWCOMER_SHARE

  function evictNewcomer() {
    const [first] = newcomers.entries.keys()
    if (first !== undefined) remove(newcomers, first)
  }

  function evictOrRequeueRegular() {
    const [first] = regulars.entries
    if (!first) return
    const [key, entry] = first
    remove(regulars, key)
    if (entry.wasHit) append(regulars, key, { ...entry, wasHit: false })
  }

  return {
    get(key: string): Value | undefined {
      const regular = regulars.entries.get(key)
      if (regular) {
        regular.wasHit = true
        return regular.value
      }
      const newcomer = newcomers.entries.get(key)
      if (newcomer) {
        remove(newcomers, key)
        append(regulars, key, newcomer)
      }
      return newcomer?.value
    },
    set(key: string, value: Value) {
      const weight = weigh(value, key)
      const known = [regulars, newcomers].find(({ entries }) => entries.has(key))
      if (known) replace(known, key, { value, weight })
      else append(newcomers, key, { value, weight, wasHit: false })
      while (exceedsLimits()) {
        if (mustEvictNewcomer()) evictNewcomer()
        else evictOrRequeueRegular()
      }
    },
  }
}

function append<Value>(queue: Queue<Value>, key: string, entry: Entry<Value>) {
  queue.entries.set(key, entry)
  queue.weight += entry.weight
}

function remove<Value>(queue: Queue<Value>, key: string) {
  queue.weight -= queue.entries.get(key)?.weight ?? 0
  queue.entries.delete(key)
}

/** Replaces the value of an entry, which keeps its place in line. */
function replace<Value>(queue: Queue<Value>, key: string, replacement: { value: Value; weight: number }) {
  const entry = queue.entries.get(key)
  if (!entry) return
  queue.weight += replacement.weight - entry.weight
  Object.assign(entry, replacement)
}
