import type { IConfiguration } from 'dependency-cruiser'

/** The direction of imports. Each comment says where the code belongs instead. */
const RULES: NonNullable<IConfiguration['forbidden']> = [
  {
    name: 'no-cycle',
    comment:
      'Files that import each other are read together: move what both need, except types, into a third.',
    from: {},
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  },
  {
    name: 'contract-imports-zod-only',
    comment: 'The contract imports zod and nothing else: what only one side needs belongs to that side.',
    from: { path: '^contract/' },
    to: { pathNot: ['^contract/', '^node_modules/zod/'] },
  },
  {
    name: 'ui-knows-no-product',
    comment: 'web/ui could ship in another product: take it as a prop, or move this to web/features.',
    from: { path: '^web/ui/' },
    to: { path: '^(web/(features|site|app|content)|contract|server)/' },
  },
  {
    name: 'features-know-no-screen',
    comment: 'Features are used by screens and know none: move what both need into web/features.',
    from: { path: '^web/features/' },
    to: { path: '^web/(site|app)/' },
  },
  {
    name: 'site-and-app-are-separate',
    comment: 'Site and application share through web/features only.',
    from: { path: '^web/(site|app)/' },
    to: { path: '^web/(site|app)/', pathNot: '^web/$1/' },
  },
  {
    name: 'web-knows-only-the-contract',
    comment: 'The browser knows the server by the contract only: put what both need into contract/.',
    from: { path: '^web/' },
    to: { path: '^(server|tools|e2e|bench)/' },
  },
  {
    name: 'web-knows-no-campaign',
    comment: 'A build fits every campaign: the campaign reaches the browser as data.',
    from: { path: '^web/' },
    to: { path: '^campaign\\.config\\.ts$' },
  },
  {
    name: 'platform-knows-no-domain',
    comment: 'The platform would fit another product: take it as an argument, or move this to the domain.',
    from: { path: '^server/platform/' },
    to: { path: '^(server|web)/', pathNot: '^server/(platform|testing)/' },
  },
  {
    name: 'server-knows-only-the-pages',
    comment: 'The server knows the browser by the contract, the site map and the marketing pages only.',
    from: { path: '^server/' },
    to: {
      path: '^(web|e2e|tools|bench)/',
      pathNot: '^web/(((dashboard-)?routes|docs-path)\\.ts|content/|site/)',
    },
  },
  {
    name: 'private-to-its-feature',
    comment:
      "Routes, mails, clients and tests are their feature's own: call one of its operations instead. Files directly in " +
      'server/ and commands assemble the features and may import them. All may import types: a type does ' +
      'not couple to the implementation.',
    from: { path: '^server/(?!commands/|tests/)(domain/[^/]+|[^/]+)/' },
    to: {
      path: '^server/(domain|site|health)/.*\\b(routes|mail|client|test)\\.ts$',
      pathNot: '^server/$1/',
      dependencyTypesNot: ['type-only'],
    },
  },
]

export default {
  forbidden: RULES.map((rule) => ({ ...rule, severity: 'error' })),
  options: {
    // Sees imports of types. So does the parser `tsc`, but it needs TypeScript 6.
    parser: 'swc',
    doNotFollow: { path: '^node_modules/' },
  },
} satisfies IConfiguration
