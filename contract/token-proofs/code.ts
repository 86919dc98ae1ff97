import type { Hex } from './abi.ts'

/** An instruction that can undo whatever else the code seems to guarantee. */
export type Escape = 'DELEGATECALL' | 'CALLCODE' | 'SELFDESTRUCT'

export type CodeScan = {
  /**
   * Constants of four bytes, or of three where a leading zero byte was left out. Among them are the selectors
   * of all functions, if Solidity or Vyper compiled the code.
   */
  constants: ReadonlySet<number>
  escape: Escape | undefined
  /** The contract that this code delegates to, if it is a minimal proxy (EIP-1167). */
  cloneOf: Hex | undefined
}

/**
 * Reads the instructions that could be reached: from the start and from each JUMPDEST up to an instruction
 * that ends the run. The EVM can execute no others. This leaves out the metadata that compilers append, whose
 * bytes only look like instructions.
 * @param code `0x` and hexadecimal digits.
 */
export function scanCode(code: Hex): CodeScan {
  const constants = new Set<number>()
  let escape: Escape | undefined
  let isReachable = true
  for (let position = 2; position < code.length; position += 2) {
    const instruction = Number.parseInt(code.slice(position, position + 2), 16)
    if (instruction === JUMPDEST) isReachable = true
    // The data after a PUSH is never a JUMPDEST, reachable or not.
    const pushedBytes = instruction > PUSH0 && instruction <= PUSH32 ? instruction - PUSH0 : 0
    if (isReachable) {
      if (pushedBytes === 3 || pushedBytes === 4)
        constants.add(Number.parseInt(code.slice(position + 2, position + 2 + 2 * pushedBytes), 16))
      escape ??= ESCAPES.get(instruction)
      isReachable = !endsRun(instruction)
    }
    position += 2 * pushedBytes
  }
  const target = MINIMAL_PROXY.exec(code)?.[1]
  return { constants, escape, cloneOf: target && `0x${target.toLowerCase()}` }
}

/** Whether the code contains a selector, given as eight hexadecimal digits. */
export const hasSelector = ({ constants }: CodeScan, selector: string) =>
  constants.has(Number.parseInt(selector, 16))

const JUMPDEST = 0x5b
const PUSH0 = 0x5f
const PUSH32 = 0x7f
const ESCAPES = new Map<number, Escape>([
  [0xf2, 'CALLCODE'],
  [0xf4, 'DELEGATECALL'],
  [0xff, 'SELFDESTRUCT'],
])
/** STOP, JUMP, RETURN, REVERT, INVALID and SELFDESTRUCT. */
const RUN_ENDS = new Set([0x00, 0x56, 0xf3, 0xfd, 0xfe, 0xff])
/** The opcodes that some hard fork defines, as ranges from first to last. */
const OPCODE_RANGES = [
  [0x00, 0x0b],
  [0x10, 0x1e],
  [0x20, 0x20],
  [0x30, 0x4b],
  [0x50, 0xa4],
  [0xf0, 0xf5],
  [0xfa, 0xfa],
  [0xfd, 0xff],
] as const

function endsRun(instruction: number): boolean {
  const isDefined = OPCODE_RANGES.some(([first, last]) => instruction >= first && instruction <= last)
  return RUN_ENDS.has(instruction) || !isDefined
}

/** The whole of a minimal proxy's code, with the address of its target. */
const MINIMAL_PROXY = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3$/i
