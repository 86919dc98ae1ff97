import type { RpcFailure } from '#contract/proofs/rpc.ts'
import { counted } from './shared.ts'

/** Texts of the page where visitors check the claims themselves. */
export const CHECK = {
  title: 'Check it yourself',
  lead: (chain: string) =>
    `Your browser asks ${chain} about each claim, with the code this site uses and without this site in between. Choose whose node it asks.`,
  node: 'RPC address',
  nodeHint: (chain: string) =>
    `Any node of ${chain} that lets web pages ask: https://…, or http://127.0.0.1:… for one on this device. It will see your IP address.`,
  ask: 'Ask the chain',
  asking: (answers: number) => `Asking… ${answers} answered so far.`,
  you: 'Your browser',
  site: 'This site',
  notAsked: 'Not asked yet',
  compare: { same: 'This site found the same.', other: 'This site found something else.' },
  summary: (proven: number, total: number) => `${proven} of ${total} claims proven.`,
  atBlock: (block: string) => `At block ${block}.`,
  agree: 'This site says the same.',
  siteSilent: 'This site has not asked lately.',
  differ: (count: number) =>
    `${counted(count, 'verdict differs', 'verdicts differ')} from this site’s. The chain may have moved on since this site asked; if it stays so, trust the chain.`,
  placeholder: 'The contract address is a placeholder, so nothing is asked.',
  calls: 'Calls and answers',
  log: {
    title: 'What was sent, and what came back',
    empty: 'Every request and its answer will be listed here, as sent.',
    request: 'Request',
    answer: 'Answer',
  },
  sandbox: {
    title: 'Why this page looks plainer',
    text: 'It runs in a sandbox: it has no cookies and no storage, can’t read your account on this site and loads nothing but one script and one style sheet. That is what makes it safe to let it call a node of your choice.',
  },
  /** For people who prefer a terminal, and for those without JavaScript. */
  commands: {
    title: 'From a terminal',
    text: 'These commands make the calls that this site made. Each prints the chain’s answers as they come. Without JavaScript, they are the way to check.',
    none: 'This site has not asked yet. Reload the page in a minute.',
  },
}

/** Why an address is not asked. */
export const ADDRESS_ERRORS = {
  malformed: 'Enter a whole address, such as https://rpc.example.',
  insecure: 'Only https:// addresses can be asked, or http://127.0.0.1:… on this device.',
  localhost: 'Write 127.0.0.1 instead of localhost.',
  credentials: 'Browsers don’t send a user name or password in an address. Remove it.',
}

/** Why a node gave no answers, and what to do. */
export function failureWords(failure: RpcFailure, chain: { name: string; id: number }): string {
  switch (failure.kind) {
    case 'unreachable':
      return 'The node can’t be reached, or it doesn’t let web pages ask (CORS). Check the address, or try another node.'
    case 'status':
      return `The node refused (HTTP ${failure.status}). Try again later, or another node.`
    case 'other_chain':
      return `This node is not on ${chain.name} (chain ${chain.id}); it says ${failure.answered}. Its answers don’t count.`
    case 'error':
      return `The node answered with an error: ${failure.message}`
    case 'too_large':
      return 'The node’s answer was too long to read.'
    case 'garbage':
      return 'This address doesn’t answer like a node. Check it, or try another.'
  }
}
