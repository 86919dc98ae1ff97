import campaign from '#server/testing/campaign.ts'
import type { Proof } from '#contract/claims/proof.ts'
import { asColumns } from '#server/domain/claims/proof-columns.ts'
import { readProof } from '#server/domain/claims/submission/rules.ts'
import { newId } from '#server/platform/database/ids.ts'
import { hashToken } from '#server/platform/secrets.ts'
import type { TestUser } from '#server/testing/builders/create-users.ts'

/** A participant, and what they submit. */
export type Claimant = TestUser & { proof: Proof }

/** The first lines of a message of PostgreSQL's log with its process; further lines begin with a tab. */
const ENTRY = /^.* \[(\d+)\] (LOG|DETAIL): {2}(.*(?:\n\t.*)*)$/gm
const STATEMENT = /^(?:statement|execute <unnamed>): (.*)$/is
const PARAMETER = /\$(\d+) = (NULL|'(?:[^']|'')*')/g

/**
 * The statements of a participant's claim, with values for their parameters.
 * @param log of PostgreSQL with `log_statement = 'all'`, in which the claim is the participant's only call.
 */
export function statementsOf(log: string, claimant: Claimant): string[] {
  const statements: { pid: string; text: string }[] = []
  for (const [, pid = '', kind, message = ''] of log.matchAll(ENTRY)) {
    const text = STATEMENT.exec(message.replaceAll('\n\t', '\n'))?.[1]
    const last = statements.at(-1)
    if (kind === 'LOG' && text !== undefined) statements.push({ pid, text })
    else if (kind === 'DETAIL' && last?.pid === pid) last.text = withValues(last.text, message)
  }
  const claim = statements.findIndex(({ text }) => text.includes('insert into claims'))
  if (claim < 0) throw new Error('The log of PostgreSQL contains no claim.')
  const own = [claimant.id, hashOf(claimant)]
  return statements
    .slice(0, claim + 1)
    .map(({ text }) => text)
    .filter((text) => own.some((value) => text.includes(value)))
}

function withValues(statement: string, parameters: string): string {
  const values = new Map([...parameters.matchAll(PARAMETER)].map(([, number, value]) => [number, value]))
  return statement.replaceAll(/\$(\d+)/g, (name, number: string) => values.get(number) ?? name)
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** A script in which `clients` connections of pgbench share the claims equally. */
export function claimScript(
  statements: readonly string[],
  first: Claimant,
  claimants: readonly Claimant[],
  clients: number,
): string {
  const claim = statements.map((statement) => `${statement};\n`).join('')
  const shares = Array.from({ length: clients }, (_, client) =>
    claimants
      .filter((_claimant, index) => index % clients === client)
      .map((claimant) => forClaimant(claim, first, claimant))
      .join('')
      .replaceAll(LITERAL, escapeColons),
  )
  return shares.map((share, client) => `\\if :client_id = ${client}\n${share}\\endif\n`).join('')
}

const LITERAL = /'(?:[^']|'')*'/g

/** To pgbench, a name after a colon is a variable, also in a literal. */
const escapeColons = (literal: string) =>
  literal.includes(':') ? `e${literal.replaceAll('\\', '\\\\').replaceAll(':', String.raw`\x3a`)}` : literal

/** The same statements with another participant's values, and new ids for the rest. */
function forClaimant(claim: string, first: Claimant, claimant: Claimant): string {
  const values = new Map<string, string>()
  const own = valuesOf(claimant)
  valuesOf(first).forEach((value, index) => values.set(value, own[index] ?? ''))
  const longestFirst = [...values.keys()].toSorted((a, b) => b.length - a.length)
  return claim.replaceAll(new RegExp([...longestFirst, UUID].join('|'), 'g'), (found) => {
    const value = values.get(found) ?? newId()
    values.set(found, value)
    return value
  })
}

function valuesOf(claimant: Claimant): string[] {
  const { id, email, username, proof } = claimant
  const columns = Object.values<string>(asColumns(readProof(proof, campaign)))
  return [id, hashOf(claimant), email, username, ...columns]
}

const hashOf = ({ token }: Claimant) => hashToken(token).toString('hex')
