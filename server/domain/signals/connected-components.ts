/** The connected components of the graph that the pairs form (union-find). */
export function connectedComponents(pairs: readonly { older: string; newer: string }[]): string[][] {
  const parents = new Map<string, string>()
  const rootOf = (node: string): string => {
    let root = node
    for (let next = parents.get(root); next !== undefined && next !== root; next = parents.get(root))
      root = next
    parents.set(node, root)
    return root
  }
  for (const { older, newer } of pairs) parents.set(rootOf(newer), rootOf(older))
  const groups = Map.groupBy([...parents.keys()], rootOf)
  return [...groups.values()]
}
