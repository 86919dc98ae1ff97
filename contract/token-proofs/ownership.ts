import { type Hex, SELECTORS, toAddress } from './abi.ts'
import {
  addressOf,
  type Answer,
  Inconclusive,
  isRefusedByContract,
  numberOf,
  unexpectedAnswer,
  resultOf,
} from './rpc-answers.ts'
import { type CodeScan, hasSelector } from './code.ts'
import type { Reason } from './proof.ts'
import { type Reader, type RecordAnswers, toQuantity } from './reader.ts'
import type { RpcCall } from './rpc.ts'

/** Where an EIP-1967 proxy stores these addresses: the hash of `eip1967.proxy.…`, minus 1. */
const PROXY_SLOTS = [
  ['implementation', '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'],
  ['admin', '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103'],
  ['beacon', '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50'],
] as const

/** Hash of `RoleGranted(bytes32,address,address)`. */
const ROLE_GRANTED = '0x2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d'

/** Functions that create tokens, as contracts in use name them. */
export const MINT_SELECTORS = {
  'mint(address,uint256)': '40c10f19',
  'mint(uint256)': 'a0712d68',
  'mint()': '1249c58b',
  'mintTo(address,uint256)': '449a52f8',
  'mintToken(address,uint256)': '79c65068',
  '_mint(address,uint256)': '4e6ec247',
  'issue(uint256)': 'cc872b66',
  'issue(address,uint256)': '867904b4',
  'increaseSupply(uint256)': 'b921e163',
  'crosschainMint(address,uint256)': '18bf5077',
} as const

/** A function that creates tokens, if the code has one by a known name. */
export function findMint(scan: CodeScan): string | undefined {
  return Object.entries(MINT_SELECTORS).find(([, selector]) => hasSelector(scan, selector))?.[0]
}

/** Whether functions can be found in the code. Every token has these two. */
export function isReadable(scan: CodeScan): boolean {
  const names = ['transfer(address,uint256)', 'balanceOf(address)'] as const
  return names.every((name) => hasSelector(scan, SELECTORS[name]))
}

/** The answers to {@link proxyCalls} and {@link ownerCalls}. */
type OwnershipAnswers = { proxySlots: readonly Answer[]; owners: readonly Answer[] }

export function proxyCalls({ tag }: Reader, token: Hex): RpcCall[] {
  return PROXY_SLOTS.map(([, slot]) => ({ method: 'eth_getStorageAt', params: [token, slot, tag] }))
}

const OWNER_FUNCTIONS = ['owner()', 'getOwner()'] as const

export function ownerCalls({ viewCall }: Reader, token: Hex): RpcCall[] {
  return OWNER_FUNCTIONS.map((signature) => viewCall(token, signature))
}

/**
 * Looks first for what contradicts the claim (a proxy, an owner), then for what makes the code unreadable,
 * then for what the readable code can do. `readRole` is called when the code has roles.
 * @throws {Inconclusive} if an answer that the verdict needs is missing or unexpected.
 */
export async function judgeOwnership(
  scan: CodeScan,
  { proxySlots, owners }: OwnershipAnswers,
  burnAddresses: readonly Hex[],
  readRole: () => Promise<Reason | undefined>,
): Promise<Reason> {
  // A proxy or an owner contradicts the claim, even if the other could not be read.
  const proxy = catchInconclusive(() => findProxy(scan, proxySlots))
  if (proxy.value) return proxy.value
  const ownerRead = catchInconclusive(() => readOwner(scan, owners))
  const { value: owner } = ownerRead
  if (owner && BigInt(owner) !== 0n && !burnAddresses.includes(owner)) return { code: 'owned', owner }
  const unread = proxy.error ?? ownerRead.error
  if (unread) throw unread
  if (scan.escape) return { code: 'foreign_code', instruction: scan.escape }
  if (!isReadable(scan)) return { code: 'unreadable_code' }
  const signature = findMint(scan)
  if (signature) return { code: 'mint_seen', signature }
  const role = hasRoles(scan) ? await readRole() : undefined
  return role ?? { code: 'renounced', owner: owner ?? null }
}

function catchInconclusive<T>(read: () => T): { value?: T; error?: Inconclusive } {
  try {
    return { value: read() }
  } catch (error) {
    if (error instanceof Inconclusive) return { error }
    throw error
  }
}

/**
 * A standard proxy, if the token is one. Whoever controls it can replace all rules, so nothing else counts.
 * @throws {Inconclusive} if a slot cannot be read.
 */
function findProxy(scan: CodeScan, proxySlots: readonly Answer[]): Reason | undefined {
  for (const [index, answer] of proxySlots.entries()) {
    const value = numberOf(answer)
    const slot = PROXY_SLOTS[index]?.[0]
    if (value === 0n || !slot) continue
    return { code: 'upgradeable', slot, address: toAddress(value & ADDRESS_MASK) ?? '' }
  }
  return scan.cloneOf === undefined ? undefined : { code: 'clone', target: scan.cloneOf }
}

const ADDRESS_MASK = (1n << 160n) - 1n

/**
 * The first owner other than 0x0 that a function names; 0x0 if all functions that exist return 0x0; undefined
 * if none exists.
 * @throws {Inconclusive} if the code contains one of the functions, but the function does not answer.
 */
function readOwner(scan: CodeScan, owners: readonly Answer[]): Hex | undefined {
  let owner: Hex | undefined
  for (const [index, answer] of owners.entries()) {
    const signature = OWNER_FUNCTIONS[index]
    if (isRefusedByContract(answer)) {
      if (signature && hasSelector(scan, SELECTORS[signature])) throw unexpectedAnswer(answer)
      continue
    }
    const address = addressOf(answer)
    if (BigInt(address) !== 0n) return address
    owner = address
  }
  return owner
}

const hasRoles = (scan: CodeScan) =>
  hasSelector(scan, SELECTORS['hasRole(bytes32,address)']) ||
  hasSelector(scan, SELECTORS['grantRole(bytes32,address)'])

/** With more role grants, the claim cannot be checked. */
const MAX_GRANTS = 200

/** The role that administers all others, `DEFAULT_ADMIN_ROLE`. */
const ADMIN = `0x${'0'.repeat(64)}`

/**
 * Asks for all grants of roles since the chain began, and which of them still hold. Nodes without old logs
 * answer with the newer ones or with an empty list, so a list counts only if it contains a grant of the
 * administrator role. Accounts that granted roles are checked too: they must have been administrators, even
 * if no grant to them is listed.
 * @returns undefined if no one has a role.
 * @throws {Inconclusive} if an answer that the verdict needs is missing or unexpected.
 */
export async function findRole(
  { read, viewCall, tag }: Pick<Reader, 'read' | 'viewCall' | 'tag'>,
  token: Hex,
  recordAnswers: RecordAnswers,
): Promise<Reason | undefined> {
  const filter = { address: token, fromBlock: toQuantity(0), toBlock: tag, topics: [ROLE_GRANTED] }
  const [answer] = await read([{ method: 'eth_getLogs', params: [filter] }])
  if (!answer) return { code: 'roles_unread' }
  recordAnswers([answer])
  const grants = 'failure' in answer.reply ? undefined : parseGrants(resultOf(answer))
  if (!grants || grants.length > MAX_GRANTS || !grants.some(({ role }) => role === ADMIN))
    return { code: 'roles_unread' }
  const holders = holdersIn(grants)
  const holderAnswers = await read(
    holders.map(([role, account]) => viewCall(token, 'hasRole(bytes32,address)', role, account)),
  )
  recordAnswers(holderAnswers)
  const heldIndex = holderAnswers.findIndex(isTrue)
  const [role, account] = holders[heldIndex] ?? []
  return role && account ? { code: 'role_held', role, account } : undefined
}

type Grant = { role: Hex; account: Hex; sender: Hex }

/** Each role with an account that has or had it; no pair appears twice. */
function holdersIn(grants: readonly Grant[]): [role: Hex, account: Hex][] {
  const pairs = grants.flatMap(({ role, account, sender }) => [`${role} ${account}`, `${ADMIN} ${sender}`])
  return [...new Set(pairs)].map((pair) => pair.split(' ') as [Hex, Hex])
}

function isTrue(answer: Answer): boolean {
  const value = numberOf(answer)
  if (value > 1n) throw unexpectedAnswer(answer)
  return value === 1n
}

/** Undefined if any log is not a grant. */
function parseGrants(logs: unknown): Grant[] | undefined {
  if (!Array.isArray(logs)) return undefined
  const grants = logs.map((log: { topics?: unknown } | null) => {
    const topics: unknown[] = Array.isArray(log?.topics) ? log.topics : []
    const [event, ...words] = topics
    const areWords = words.every((word) => typeof word === 'string' && /^0x[0-9a-f]{64}$/i.test(word))
    if (event !== ROLE_GRANTED || words.length !== 3 || !areWords) return undefined
    const [role = '', account = '', sender = ''] = words.map((word) => String(word).toLowerCase())
    return { role, account: `0x${account.slice(-40)}`, sender: `0x${sender.slice(-40)}` }
  })
  return grants.includes(undefined) ? undefined : (grants as Grant[])
}
