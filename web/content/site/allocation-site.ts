import { SITE } from '#messages/allocation-site.js'

/** Stands in the page where the writer of the shards puts their map, as JSON. */
export const SHARDS_PLACE = '%SHARDS%'

/** The files that the static site of an allocation offers for download. */
export const SITE_FILES = [
  { path: 'pack/README.md', text: SITE.files.readme },
  { path: 'pack/allocation.json', text: SITE.files.allocation },
  { path: 'SHA256SUMS', text: SITE.files.sums },
]

/** How to host the static site, as Markdown. */
export const siteReadme = ({ root }: { root: string }): string => `# The public check of an allocation

These are plain files. \`index.html\` looks a wallet up in \`shards/\` and verifies its proof in the visitor’s browser. Nothing
calls the campaign’s server, so the site keeps working even after that server is gone.

Merkle root: \`${root}\`

## Host it

Upload the whole folder, to the root of a site or under any path:

- **IPFS**: \`ipfs add -r --cid-version 1 DIR\`, pin the last CID, and open it through a gateway.
- **GitHub Pages**: commit the folder and publish its branch; \`.nojekyll\` is there.
- **Any file server**: copy the folder. The server must answer 404 for missing files, not a page of its own.

You need a file server on your own machine, too, because browsers do not let pages fetch from \`file:\` addresses:
\`npx serve DIR\`, or \`python3 -m http.server --directory DIR\`.

## Verify it

\`sha256sum -c SHA256SUMS\` shows that no file was changed. The root above must be the one in the campaign’s journal.
\`pack/allocation.json\` has the whole tree: \`StandardMerkleTree.load\` of \`@openzeppelin/merkle-tree\` recomputes it.

## Shards

The first bits of a wallet’s address name its shard, about 16 wallets each: \`shards/BITS/PREFIX.json\`, the first two
digits of a longer prefix as a folder. Amounts are in base units.
`
