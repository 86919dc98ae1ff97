import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * Enforces the direction of imports: files matching `in` may not import targets matching `not`, except those
 * matching `but`. `why` says where the code belongs instead.
 */
type Rule = { in: RegExp; not: RegExp; but?: RegExp; why: string }

const RULES: Rule[] = [
  {
    in: /^contract\//,
    not: /./,
    but: /^(contract\/|zod(\/mini)?$)/,
    why: 'the contract imports zod and nothing else: what only one side needs belongs to that side',
  },
  {
    in: /^web\/ui\//,
    not: /^(web\/(features|site|app|content)\/|contract\/|server\/)/,
    why: 'web/ui could ship in another product: take it as a prop, or move this to web/features',
  },
  {
    in: /^web\/features\//,
    not: /^web\/(site|app)\//,
    why: 'features are used by screens and know none: move what both need into web/features',
  },
  { in: /^web\/site\//, not: /^web\/app\//, why: 'site and application share through web/features only' },
  { in: /^web\/app\//, not: /^web\/site\//, why: 'site and application share through web/features only' },
  {
    in: /^web\//,
    not: /^(server|tools|e2e|bench)\//,
    why: 'the browser knows the server by the contract only: put what both need into contract/',
  },
  {
    in: /^web\//,
    not: /^campaign\.config\.ts$/,
    why: 'a build fits every campaign: the campaign reaches the browser as data',
  },
  {
    in: /^server\/platform\//,
    not: /^(server\/|web\/)/,
    but: /^server\/(platform|testing)\//,
    why: 'the platform would fit another product: take it as an argument, or move this to the feature',
  },
  {
    in: /^server\//,
    not: /^(web\/|e2e\/|tools\/|bench\/)/,
    but: /^web\/(routes\.ts|content\/|site\/)/,
    why: 'the server knows the browser by the contract, the site map and the marketing pages only',
  },
]

/** Files private to their feature. */
const PRIVATE =
  /^server\/(domain\/[a-z-]+|site|health)\/(?!\1\.ts)(.+\/)?(routes|mail|client|[a-z-]+\.test)\.ts$/
/** Files that assemble the features and may import private ones. */
const ASSEMBLY = /^server\/[a-z-]+\.ts$|^server\/(commands|tests)\//

const ROOT = path.resolve(import.meta.dirname, '..')
const ALIAS: [RegExp, string][] = [
  [/^#campaign$/, 'campaign.config.ts'],
  [/^#(contract|server|web)\//, '$1/'],
]

const problems: string[] = []
for await (const file of glob('{contract,server,web}/**/*.{ts,tsx}', { cwd: ROOT })) {
  const source = await readFile(path.join(ROOT, file), 'utf8')
  for (const { specifier, isType } of importsOf(source)) {
    problems.push(...problemsOf(file, targetOf(file, specifier), isType))
  }
}
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0

function importsOf(source: string): { specifier: string; isType: boolean }[] {
  const found = source.matchAll(
    /^(?:import|export) (type )?(?:[^'"]*? from )?'([^'\n]+)'|\bimport\('([^'\n]+)'\)/gm,
  )
  return [...found].map(([, type, named, dynamic]) => ({
    specifier: named ?? dynamic ?? '',
    isType: Boolean(type),
  }))
}

/** A path relative to the root, or a package name. */
function targetOf(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return path.join(path.dirname(file), specifier)
  return ALIAS.reduce((name, [from, to]) => name.replace(from, to), specifier)
}

function problemsOf(file: string, target: string, isType: boolean): string[] {
  const isBroken = (rule: Rule) => rule.in.test(file) && rule.not.test(target) && !rule.but?.test(target)
  const found = RULES.filter(isBroken).map(({ why }) => `${file} imports ${target}: ${why}`)
  const owner = PRIVATE.exec(target)?.[1]
  // Importing only a type does not couple to the implementation.
  const isForeign = owner && !isType && !file.startsWith(`server/${owner}/`) && !ASSEMBLY.test(file)
  if (isForeign)
    found.push(`${file} imports ${target}: that file is ${owner}'s own; call one of its verbs instead`)
  return found
}
