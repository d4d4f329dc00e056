import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import { restrictedTime } from './scripts/restricted-time.mjs';

const tooManyParameters = ':function[params.length>4]:not(MethodDefinition[kind="constructor"] > FunctionExpression)';

const restricted = [
  { selector: tooManyParameters, message: 'A function takes at most 4 parameters.' },
  {
    selector: 'MethodDefinition[kind="constructor"] > FunctionExpression[params.length>6]',
    message: 'A class depends on at most 6 others.',
  },
  {
    selector: "CallExpression[callee.property.name='createQueryBuilder']",
    message: 'No query builder: write SQL with the sql tag.',
  },
];

const openingScopes = {
  selector: "CallExpression[callee.object.name='WorkspaceScope'][callee.property.name='open']",
  message:
    'Only the token guard, the job runner, *.cross-tenant.ts, the composition root and test support open a scope.',
};

/** Who decides which workspace a piece of work is for. */
const scopeOpeners = [
  'src/workspaces/token.guard.ts',
  'src/platform/queue/**/*.ts',
  'src/**/*.cross-tenant.ts',
  'src/app/**/*.ts',
  'src/*.ts',
];

const unchecked = ['assignment', 'member-access', 'argument', 'call', 'return'];

export default tseslint.config(
  // The example is compiled outside of the repository, with the types of the package.
  {
    ignores: [
      'dist',
      'data',
      'coverage',
      'node_modules',
      'clients/*/dist',
      'packages/*/dist',
      'clients/*/src/schema.ts',
      'examples/module-notes/src',
    ],
  },
  // What Prettier leaves: comments, and SQL in templates. Words and patterns that servers write, pages and documents have the
  // lines of their text.
  {
    files: ['packages/**/*.ts', 'src/**/*.ts'],
    ignores: [
      '**/*.spec.ts',
      'packages/gallery-pages/src/**',
      'packages/html-pages/src/**',
      'packages/link-pages/src/**',
      'packages/mail-reading/src/**',
      'packages/refusals/src/tables/**',
      'src/**/*-document.ts',
    ],
    rules: {
      'max-len': [
        'error',
        { code: 130, ignoreUrls: true, ignoreStrings: true, ignoreRegExpLiterals: true, ignorePattern: '^ *\\* \\|' },
      ],
    },
  },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
      'max-depth': ['error', 3],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // An import of types alone must not load the module: half of the start would be spent on it.
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/prefer-promise-reject-errors': ['error', { allowThrowingUnknown: true }],
      '@typescript-eslint/no-unsafe-declaration-merging': 'off',
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'always' }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Configuration is read once, in platform/config.' },
      ],
      'no-restricted-syntax': ['error', ...restricted, ...restrictedTime, openingScopes],
    },
  },
  { files: scopeOpeners, rules: { 'no-restricted-syntax': ['error', ...restricted, ...restrictedTime] } },
  {
    // Where real time gets its name, and the quota windows, whose time continues during a transaction.
    files: [
      'src/platform/clock/index.ts',
      'packages/request-windows/src/*.ts',
      'src/app/workspace-deletion/*.cross-tenant.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', ...restricted, openingScopes] },
  },
  {
    files: ['src/!(platform)/**/*.ts', 'src/*.ts'],
    // A processor hands the database on to the job runner.
    ignores: [
      '**/*.spec.ts',
      '**/*.cross-tenant.ts',
      '**/*.processor.ts',
      'src/app/**',
      // Extension modules get it for their processors.
      'src/extension/**',
      'src/workspaces/token.guard.ts',
    ],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'typeorm',
              importNames: ['DataSource', 'EntityManager', 'Repository'],
              message: 'The database is reached through a WorkspaceScope.',
            },
          ],
          patterns: [
            {
              group: ['**/platform/database/index.js'],
              importNames: ['Database'],
              message: 'Crossing tenants is deliberate: put the query into a *.cross-tenant.ts file.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['packages/**/*.ts', 'src/**/*.ts'],
    ignores: ['packages/egress/**', 'packages/demo/**', '**/*.spec.ts'],
    rules: {
      'no-restricted-globals': ['error', { name: 'fetch', message: 'What goes out goes through packages/egress.' }],
    },
  },
  {
    // Schemas are long lists of statements, most of them written by the migration command.
    files: ['src/app/migrations/*.ts'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    files: ['src/platform/config/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    // Answers are looked at as they come over the wire, without types.
    files: ['test/**/*.ts', '**/*.spec.ts', 'bench/**/*.ts'],
    rules: {
      'max-lines-per-function': 'off',
      'max-lines': 'off',
      'no-restricted-syntax': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
      ...Object.fromEntries(unchecked.map((use) => [`@typescript-eslint/no-unsafe-${use}`, 'off'])),
    },
  },
  {
    // A package of its own. Its generated types exist only after its build, so unknown types are the compiler's business.
    files: ['clients/typescript/**/*.ts'],
    languageOptions: {
      parserOptions: { project: './clients/typescript/tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      'no-restricted-syntax': ['error', ...restricted],
      '@typescript-eslint/no-redundant-type-constituents': 'off',
      ...Object.fromEntries(unchecked.map((use) => [`@typescript-eslint/no-unsafe-${use}`, 'off'])),
    },
  },
  {
    files: ['bin/*.js'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: { require: 'readonly', module: 'readonly', exports: 'readonly', __dirname: 'readonly' },
    },
  },
  {
    files: ['examples/ci/**/*.js'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: Object.fromEntries(
        ['require', 'module', 'test', 'expect', 'beforeAll', 'afterAll'].map((name) => [name, 'readonly']),
      ),
    },
  },
  // Old versions of Node read these before they can be refused.
  { files: ['bin/outreach.js', 'bin/supported-node.js'], languageOptions: { ecmaVersion: 5 } },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        fetch: 'readonly',
        performance: 'readonly',
        Buffer: 'readonly',
        structuredClone: 'readonly',
      },
    },
  },
);
