import path from 'node:path'
import type { Plugin } from 'vite'

const CONTRACT = path.resolve(import.meta.dirname, '../contract')
const SERVER_ONLY = new Set(['summary', 'access', 'limits', 'refusals', 'cache', 'status'])

type Range = { start: number; end: number }

type Node = Range & {
  type: string
  callee?: { name?: string }
  arguments?: Node[]
  properties?: (Range & { key?: { name?: string } })[]
}

/** Removes from the browser's code the members of the contract's endpoints that only the server reads. */
export function browserContract(): Plugin {
  return {
    name: 'browser-contract',
    apply: 'build',
    enforce: 'post',
    applyToEnvironment: ({ name }) => name === 'client',
    transform(code, id) {
      if (!id.startsWith(CONTRACT)) return undefined
      const cuts = serverOnlyIn(this.parse(code))
      const kept = cuts.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), code)
      return { code: kept, map: null }
    },
  }
}

/** The source ranges of the members that only the server reads, in order. Each extends to the next member. */
function serverOnlyIn(node: Node): Range[] {
  const isEndpoint = node.type === 'CallExpression' && node.callee?.name === 'endpoint'
  const members = (isEndpoint && node.arguments?.at(-1)?.properties) || []
  const cuts = members.flatMap(({ key, start, end }, index) =>
    SERVER_ONLY.has(key?.name ?? '') ? [{ start, end: members[index + 1]?.start ?? end }] : [],
  )
  if (cuts.length > 0) return cuts
  return Object.values(node).flatMap((child: unknown) =>
    [child].flat().flatMap((each) => (isNode(each) ? serverOnlyIn(each) : [])),
  )
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
