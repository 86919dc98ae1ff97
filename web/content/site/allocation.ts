/** Texts of the public check of an allocation: the page `/allocation`, and the static site that outlives the server. */
export const ALLOCATION = {
  title: 'Allocation',
  lead: 'Who gets what, frozen and open to everyone. Look up a wallet: your browser recomputes the proof itself, so you don’t have to trust this site.',
  heading: 'Look up a wallet',
  label: 'Wallet address',
  hint: 'Any wallet, not only yours. Nothing is signed and nothing is sent to the chain.',
  check: 'Check',
  checking: 'Checking…',
  askWallet: (name: string) => `Use ${name}`,
  faults: {
    format: 'Enter 0x followed by 40 digits or letters from a to f.',
    checksum: 'The address doesn’t match its checksum, so at least one character is wrong. Copy it again.',
  },
  walletRefused: 'The wallet didn’t share an address. Type it instead.',
  verified: 'Verified in this browser',
  verifiedText: 'The amounts and the wallet lead to the published root, step by step.',
  unproven: 'Not proven',
  unprovenText:
    'The proof does not lead to the published root. Do not rely on these amounts, and tell the organizers.',
  absent: 'This wallet is not in the allocation.',
  absentText: 'It gets nothing from this payout. If you took part with another wallet, look that one up.',
  failed: 'We couldn’t check.',
  failedText: 'The data didn’t load or can’t be read. Try again.',
  amounts: 'Amounts',
  details: 'Leaf, proof and root',
  leaf: 'Leaf',
  leafText: 'keccak256(keccak256(abi.encode(wallet, amount, amount))), with the amounts in base units',
  proof: 'Proof',
  proofText: (steps: number) =>
    steps === 0
      ? 'No other hashes are needed: this wallet is the only one, so its leaf is the root.'
      : `Hash the leaf with each of these ${steps === 1 ? 'hash' : `${steps} hashes`} in order, the smaller of a pair first.`,
  root: 'Root',
  download: 'Download this proof',
  facts: 'The frozen allocation',
  wallets: 'Wallets',
  frozen: 'Frozen',
  drift: 'Changed since',
  published: 'Published root',
  none: 'Nothing is frozen yet.',
  noneText:
    'Once all claims are decided, the organizers freeze who gets what. From then on, everyone can check it here.',
  noneAction: 'See the airdrop',
  unreachable: 'We couldn’t load the allocation. Reload the page to try again.',
  needsScript: 'The check runs in your browser and needs JavaScript. Without it, the data is at',
  how: {
    title: 'What this proves',
    text: [
      'The root is a fingerprint of the whole list of wallets and amounts. Changing one digit of one amount changes it.',
      'Your browser hashes the wallet with its amounts and then with the hashes of the proof. If the result is the published root, the entry is part of that list.',
    ],
  },
  not: {
    title: 'What it does not prove',
    text: [
      'That the payout was sent: only the chain shows that. That the amounts are fair: the journal records every decision behind them.',
      'That every approval still stands. Some may have been undone or added after the freeze, which keeps its list: “Changed since” counts them.',
      'Compare the root with the one that the organizers announced, or with an independent copy. A page can only prove that an entry belongs to the root it shows.',
    ],
  },
}
