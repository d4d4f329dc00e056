import { timeFactor } from './test/support/time-factor.mjs';

/** @type {import('jest').Config} */
export default {
  // Node loads the tests and the code, not Jest: ADR 24.
  runtime: '<rootDir>/test/support/native-modules/runtime.cjs',
  testEnvironment: '<rootDir>/test/support/native-modules/environment.cjs',
  testEnvironmentOptions: { globalsCleanup: 'off' },
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  // For `jest --findRelatedTests` and `--watch`.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.js', '$1'] },
  roots: ['<rootDir>/test', '<rootDir>/src'],
  testMatch: ['**/*.spec.ts'],
  // `npm run test:pages` needs a browser, `npm run test:pgbouncer` PgBouncer, `npm run test:mailboxes` Dovecot,
  // `npm run test:deployment` and `npm run test:examples` Debian's PostgreSQL; `test:abuse` and `test:outages` take long,
  // and what `test:costs` counts depends on the load.
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/pages/',
    '<rootDir>/test/pgbouncer/',
    '<rootDir>/test/mailboxes/',
    '<rootDir>/test/deployment/',
    '<rootDir>/test/examples/',
    '<rootDir>/test/abuse/',
    '<rootDir>/test/outages/',
    '<rootDir>/test/costs/',
    '<rootDir>/test/clients/',
    '<rootDir>/test/typescript-client/',
    '<rootDir>/test/slow/',
  ],
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  reporters: ['default', '<rootDir>/test/support/closing-line.mjs'],
  maxWorkers: 4,
  // Ends a test that would last for ever. What a test waits for has a limit of its own, which says what was missing.
  testTimeout: 600_000 * timeFactor(),
};
