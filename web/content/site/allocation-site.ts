import { SITE } from '#messages/allocation.js'
import { SITE_README } from '#messages/dashboard-payout-pack.js'

/** Stands in the page where `siteFiles` puts the list of shards (files of wallets) as JSON. */
export const SHARDS_PLACE = '%SHARDS%'

export const SITE_FILES = [
  { path: 'pack/README.md', text: SITE.files.readme },
  { path: 'pack/allocation.json', text: SITE.files.allocation },
  { path: 'SHA256SUMS', text: SITE.files.sums },
]

export function siteReadme({ root }: { root: string }): string {
  const { title, intro, root: rootLine, host, verify, shards } = SITE_README
  return `# ${title}

${intro}

${rootLine({ root })}

## ${host.title}

${host.text}

- ${host.ipfs}
- ${host.github}
- ${host.server}

${host.local}

## ${verify.title}

${verify.text}

## ${shards.title}

${shards.text}
`
}
