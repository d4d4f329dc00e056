import { OTHER_FOLDERS } from './scripts/test-suites.mjs';
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
  roots: ['<rootDir>/test', '<rootDir>/src', '<rootDir>/packages'],
  testMatch: ['**/*.spec.ts'],
  // Without the suites that `npm test` does not run: `scripts/test-suites.mjs`.
  testPathIgnorePatterns: ['/node_modules/', ...OTHER_FOLDERS.map((folder) => `<rootDir>/${folder}/`)],
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  reporters: ['<rootDir>/test/support/progress-reporter.mjs'],
  maxWorkers: 4,
  // Ends a test that would last for ever. What a test waits for has a limit of its own, which says what was missing.
  testTimeout: 300_000 * timeFactor(),
};
