import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import campaign from '#server/testing/campaign.ts'
import type { Proof } from '#contract/claims/proof.ts'
import { asColumns } from '#server/domain/claims/claim.ts'
import { validateProof } from '#server/domain/claims/submission/validate-proof.ts'
import { newId } from '#server/platform/database/ids.ts'
import { hashToken } from '#server/platform/secrets.ts'
import type { TestUser } from '#server/testing/builders/create-users.ts'
import type { Lifetime } from '#server/testing/product.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'

export type Claimant = TestUser & { proof: Proof }

/** An entry of PostgreSQL's log: process, kind and message. Further lines of a message begin with a tab. */
const ENTRY = /^.* \[(\d+)\] (LOG|DETAIL): {2}(.*(?:\n\t.*)*)$/gm
const STATEMENT = /^(?:statement|execute (\S+)): (.*)$/is
const PARAMETER = /\$(\d+) = (NULL|'(?:[^']|'')*')/g

export type LoggedStatement = {
  text: string
  /** SQL literals by the number of their parameter. */
  values: ReadonlyMap<number, string>
  /** Whether the product prepares it once for a connection. */
  isPrepared: boolean
}

/**
 * Finds the statements of a participant's claim.
 * @param log PostgreSQL's log with `log_statement = 'all'`, with no other call of the participant
 */
export function statementsOf(log: string, claimant: Claimant): LoggedStatement[] {
  const statements: (LoggedStatement & { pid: string })[] = []
  for (const [, pid = '', kind, message = ''] of log.matchAll(ENTRY)) {
    const [, name = '<unnamed>', text] = STATEMENT.exec(message.replaceAll('\n\t', '\n')) ?? []
    const last = statements.at(-1)
    if (kind === 'LOG' && text !== undefined)
      statements.push({ pid, text, values: new Map(), isPrepared: name !== '<unnamed>' })
    else if (kind === 'DETAIL' && last?.pid === pid) last.values = valuesIn(message)
  }
  const insertIndex = statements.findIndex(({ text }) => text.includes('insert into claims'))
  if (insertIndex < 0) throw new Error('The log of PostgreSQL contains no claim.')
  const identifiers = [claimant.id, tokenHashOf(claimant)]
  // The insert is the last statement of the call. Later statements with these values are from its jobs.
  return statements
    .slice(0, insertIndex + 1)
    .filter((statement) => identifiers.some((value) => withValues(statement).includes(value)))
}

const valuesIn = (parameters: string) =>
  new Map([...parameters.matchAll(PARAMETER)].map(([, number, value = '']) => [Number(number), value]))

const withValues = ({ text, values }: LoggedStatement) =>
  text.replaceAll(/\$(\d+)/g, (name, number: string) => values.get(Number(number)) ?? name)

/**
 * A script in which `clients` connections of pgbench share the claims equally. Each connection first prepares
 * the statements that the product prepares.
 * @param statements the statements of the claim by `captured`
 */
export function claimScript(
  statements: readonly LoggedStatement[],
  captured: Claimant,
  claimants: readonly Claimant[],
  clients: number,
): string {
  const prepared = statements
    .map(({ text, isPrepared }, index) => (isPrepared ? `prepare ${preparedName(index)} as ${text};\n` : ''))
    .join('')
    .replaceAll(LITERAL, escapeColons)
  const claim = statements.map((statement, index) => `${asCall(statement, preparedName(index))};\n`).join('')
  const shares = Array.from({ length: clients }, (_, client) =>
    claimants
      .filter((_claimant, index) => index % clients === client)
      .map((claimant) => forClaimant(claim, captured, claimant))
      .join('')
      .replaceAll(LITERAL, escapeColons),
  )
  return shares.map((share, client) => `\\if :client_id = ${client}\n${prepared}${share}\\endif\n`).join('')
}

const preparedName = (index: number) => `claim_${index + 1}`

/** The statement with its values, or if it is prepared, its execution. */
function asCall(statement: LoggedStatement, name: string): string {
  if (!statement.isPrepared) return withValues(statement)
  const values = [...statement.values].toSorted(([a], [b]) => a - b).map(([, value]) => value)
  return `execute ${name}(${values.join(', ')})`
}

const LITERAL = /'(?:[^']|'')*'/g

/** pgbench takes a name after a colon for a variable, even in a literal. */
const escapeColons = (literal: string) =>
  literal.includes(':') ? `e${literal.replaceAll('\\', '\\\\').replaceAll(':', String.raw`\x3a`)}` : literal

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** Replaces the values of `captured` by another participant's, and all other ids by new ids. */
function forClaimant(claim: string, captured: Claimant, claimant: Claimant): string {
  const ownValues = valuesOf(claimant)
  const replacements = new Map(valuesOf(captured).map((value, index) => [value, ownValues[index] ?? '']))
  // A value may be a part of a longer value.
  const longestFirst = [...replacements.keys()].toSorted((a, b) => b.length - a.length)
  return claim.replaceAll(new RegExp([...longestFirst, UUID].join('|'), 'g'), (found) => {
    const replacement = replacements.get(found) ?? newId()
    replacements.set(found, replacement)
    return replacement
  })
}

function valuesOf(claimant: Claimant): string[] {
  const { id, email, username, proof } = claimant
  const columns = Object.values<string>(asColumns(validateProof(proof, campaign)))
  return [id, tokenHashOf(claimant), email, username, ...columns]
}

const tokenHashOf = ({ token }: Claimant) => hashToken(token).toString('hex')

const run = promisify(execFile)
/** Where Debian installs it, for each version of PostgreSQL. */
const DEBIAN = '/usr/lib/postgresql/*/bin/pgbench'

/** The path or name of pgbench; undefined if it is not installed. */
export async function findPgbench(): Promise<string | undefined> {
  const candidates = ['pgbench', ...globSync(DEBIAN).toSorted().toReversed()]
  for (const candidate of candidates) {
    const isInstalled = await run(candidate, ['--version']).then(
      () => true,
      () => false,
    )
    if (isInstalled) return candidate
  }
  return undefined
}

type Script = {
  /** The file with the script is deleted at its end. */
  lifetime: Lifetime
  url: string
  /** Each connection runs it once. */
  script: string
  connections: number
}

/**
 * Runs a script. Statements that it does not prepare are sent without a name, like most of the product's.
 * @throws with the output if a statement fails
 */
export async function runPgbench(
  pgbench: string,
  { lifetime, url, script, connections }: Script,
): Promise<void> {
  const file = path.join(await scratchFolder(lifetime), 'script.sql')
  await writeFile(file, script)
  const clients = ['--client', String(connections), '--jobs', '1', '--transactions', '1']
  await run(pgbench, ['--no-vacuum', '--protocol', 'extended', ...clients, '--file', file, url])
}
