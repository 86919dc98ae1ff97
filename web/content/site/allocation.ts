/** Texts of the public check of an allocation: the page `/allocation`, and the static site that outlives the server. */
export const ALLOCATION = {
  title: 'Allocation',
  lead: 'See who gets what. The list is frozen and public. Look up a wallet: your browser recomputes the proof itself, so you don’t have to trust this site.',
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
  verifiedText: 'The proof connects this wallet and its amounts to the published root.',
  unproven: 'Not proven',
  unprovenText:
    'The proof doesn’t match the published root. Don’t rely on these amounts, and tell the organizers.',
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
      : steps === 1
        ? 'Hash the leaf together with this hash, the smaller of the two first.'
        : `Hash the leaf with each of these ${steps} hashes in order, the smaller of each pair first.`,
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
      'It doesn’t prove that the payout was sent; only the chain shows that. It doesn’t prove that the amounts are fair, either; the journal records every decision behind them.',
      'It doesn’t prove that every approval still stands. Some may have been undone or added since the freeze, and the frozen list doesn’t change. “Changed since” counts them.',
      'Compare the root with the one the organizers announced, or with an independent copy. A page can only prove that an entry belongs to the root it shows.',
    ],
  },
}
