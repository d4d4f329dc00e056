/** Who may import whom: the arrows of docs/architecture.md. No cycles, only downwards, only through index.ts. */
export const downwards = {
  sandbox: ['inbound', 'tracking', 'sending', 'campaigns', 'templates'],
  sending: ['campaigns', 'email-accounts', 'contacts', 'templates', 'blacklist'],
  replies: ['sending', 'campaigns', 'email-accounts', 'contacts', 'templates', 'blacklist'],
  'personal-data': ['activity', 'replies', 'sending', 'campaigns', 'segments', 'contacts', 'blacklist', 'webhooks'],
  activity: ['contacts', 'campaigns', 'sending', 'tracking', 'replies'],
  tracking: ['sending', 'campaigns', 'contacts'],
  inbound: ['sending', 'email-accounts', 'workspaces'],
  campaigns: ['segments', 'contacts', 'templates', 'email-accounts'],
  segments: ['contacts'],
  templates: ['contacts'],
  marketplace: ['templates'],
  contacts: [],
  'email-accounts': [],
  blacklist: [],
  webhooks: [],
  workspaces: [],
};
const modules = Object.keys(downwards).join('|');

export default {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-circular-folders',
      comment: 'The folders of a module depend on each other in one direction.',
      severity: 'error',
      scope: 'folder',
      from: {
        path: `^(src/(${modules}|platform)|packages)(/|$)`,
        // The cycle of this package is one of its specs, whose support uses the package.
        pathNot: '^packages/egress(/|$)',
      },
      to: { circular: true },
    },
    {
      name: 'platform-knows-no-module',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: '^(src/(?!platform/)|ormconfig)' },
    },
    {
      name: 'packages-know-nothing-of-the-service',
      severity: 'error',
      from: { path: '^packages/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(src|test|bench)/|^ormconfig' },
    },
    {
      name: 'packages-through-their-index',
      comment: 'Each part of http-api has one.',
      severity: 'error',
      from: { path: '^(?:src|packages/([^/]+))/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^packages/',
        pathNot: ['^packages/$1/', '^packages/[^/]+/src/index\\.ts$', '^packages/http-api/src/[^/]+/index\\.ts$'],
      },
    },
    {
      name: 'only-the-composition-root-knows-app',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(app/|main\\.ts|cli\\.ts)' },
      to: { path: '^(src/app/|packages/demo/|ormconfig)' },
    },
    {
      name: 'entry-point-of-extensions',
      comment: 'It exports what extension modules may import; only app loads it, for them.',
      severity: 'error',
      from: { path: '^src/extension/' },
      to: { path: '^src/(?!extension/|(contacts|workspaces|email-accounts/providers)/index|platform/)|^ormconfig' },
    },
    {
      name: 'public-api-only',
      comment: 'Another module is reached through its index.ts; its settings are read before it is loaded.',
      severity: 'error',
      from: { path: '^src/([^/]+)/', pathNot: '^src/extension/' },
      to: { path: `^src/(${modules})/`, pathNot: ['^src/$1/', '^src/[^/]+/(index|[^/]+\\.settings)\\.ts$'] },
    },
    {
      name: 'platform-public-api-only',
      comment: 'A mechanism of the platform is reached through its index.ts.',
      severity: 'error',
      from: { path: '^src/(?!platform/)' },
      to: { path: '^src/platform/', pathNot: '^src/platform/(http/)?[^/]+/index\\.ts$' },
    },
    {
      name: 'platform-mechanisms-through-their-index',
      severity: 'error',
      from: { path: '^src/platform/((?:http/)?[^/]+)/' },
      to: { path: '^src/platform/', pathNot: ['^src/platform/$1/', '^src/platform/(http/)?[^/]+/index\\.ts$'] },
    },
    ...Object.entries(downwards).map(([name, allowed]) => ({
      name: `${name}-imports-only-downwards`,
      severity: 'error',
      from: { path: `^src/${name}/` },
      to: { path: `^src/(${modules})/`, pathNot: `^src/(${[name, ...allowed].join('|')})/` },
    })),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'require', 'node', 'default', 'types'],
    },
  },
};
