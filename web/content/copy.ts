/** The words of the buttons that copy the contract. */
export const COPY = {
  copy: 'Copy',
  copyAddress: 'Copy Address',
  copied: 'Copied!',
  shownForMs: 2000,
  contractCopied: 'Contract address copied!',
}

/** The words of the button that shares the site. */
export const SHARE = {
  share: 'Share',
  copied: 'Link copied!',
}
