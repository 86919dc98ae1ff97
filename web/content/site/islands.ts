/** Labels of the buttons that copy the contract address. */
export const COPY = {
  copy: 'Copy',
  copyAddress: 'Copy Address',
  copied: 'Copied!',
  shownForMs: 2000,
  contractCopied: 'Contract address copied!',
}

/** Labels of the button that shares the site. */
export const SHARE = {
  share: 'Share',
  copied: 'Link copied!',
}

/** The live price; unknown also without scripts. */
export const PRICE = {
  loading: 'Loading...',
  unknown: 'N/A',
  fromPool: 'From the pool',
  poolHint:
    'The price service isn’t answering, so this is computed from the reserves of the token’s deepest pool, which a single trade can move.',
}
