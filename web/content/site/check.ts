import type { RpcFailure } from '#contract/proofs/rpc.ts'
import { counted } from '../shared.ts'

/** Texts of the page where visitors check the claims themselves. */
export const CHECK = {
  title: 'Check it yourself',
  lead: (chain: string) =>
    `Your browser asks ${chain} about each claim directly, with the same code that this site uses. Choose which node it asks.`,
  node: 'RPC address',
  nodeHint: (chain: string) =>
    `Any ${chain} node that accepts requests from web pages: https://…, or http://127.0.0.1:… on this device. The node will see your IP address.`,
  ask: 'Ask the chain',
  asking: (answers: number) => `Asking… Answers so far: ${answers}.`,
  you: 'Your browser',
  site: 'This site',
  notAsked: 'Not asked yet',
  compare: { same: 'This site got the same verdict.', other: 'This site got a different verdict.' },
  summary: (proven: number, total: number) => `${proven} of ${total} claims proven.`,
  atBlock: (block: string) => `At block ${block}.`,
  agree: 'This site got the same verdicts.',
  siteSilent: 'This site hasn’t asked recently.',
  differ: (count: number) =>
    `${counted(count, 'verdict differs', 'verdicts differ')} from this site’s. The chain may have changed since this site asked. If they still differ in a few minutes, trust the chain.`,
  placeholder: 'The contract address is a placeholder, so there is nothing to ask.',
  calls: 'Calls and answers',
  log: {
    title: 'What was sent, and what came back',
    empty: 'Each request and its answer will appear here, unedited.',
    request: 'Request',
    answer: 'Answer',
  },
  sandbox: {
    title: 'Why this page looks plainer',
    text: 'It runs in a sandbox: it has no cookies and no storage, can’t read your account on this site, and loads only one script and one style sheet. That makes it safe to let it call any node you choose.',
  },
  /** For people who prefer a terminal, and for those without JavaScript. */
  commands: {
    title: 'From a terminal',
    text: 'These commands repeat the calls that this site made and print the chain’s raw answers. They also work if JavaScript is turned off.',
    none: 'This site hasn’t asked yet. Reload the page in a minute.',
  },
}

/** Why an address is not asked. */
export const ADDRESS_ERRORS = {
  malformed: 'Enter a full address, such as https://rpc.example.',
  insecure: 'Use an https:// address, or http://127.0.0.1:… for a node on this device.',
  localhost: 'Use 127.0.0.1 instead of localhost.',
  credentials: 'Remove the username and password: browsers don’t send them in an address.',
}

/** Why a node gave no answers, and what to do. */
export function failureWords(failure: RpcFailure, chain: { name: string; id: number }): string {
  switch (failure.kind) {
    case 'unreachable':
      return 'We couldn’t reach the node, or it doesn’t accept requests from web pages (CORS). Check the address, or try another node.'
    case 'status':
      return `The node refused the request (HTTP ${failure.status}). Try again later, or try another node.`
    case 'other_chain':
      return `This node is not on ${chain.name} (chain ${chain.id}); it reports ${failure.answered}. Its answers don’t count: try another node.`
    case 'error':
      return `The node answered with an error: ${failure.message}`
    case 'too_large':
      return 'The node’s answer was too long to read. Try another node.'
    case 'garbage':
      return 'This address doesn’t respond like a node. Check it, or try another one.'
  }
}
