/** Union-find: the groups of those that pairs lead to from one another. Whoever is in no pair is in no group. */
export function connectedComponents(pairs: readonly { older: string; newer: string }[]): string[][] {
  const parents = new Map<string, string>()
  const rootOf = (one: string): string => {
    let root = one
    for (let next = parents.get(root); next !== undefined && next !== root; next = parents.get(root))
      root = next
    parents.set(one, root)
    return root
  }
  for (const { older, newer } of pairs) parents.set(rootOf(newer), rootOf(older))
  const groups = Map.groupBy([...parents.keys()], rootOf)
  return [...groups.values()]
}
