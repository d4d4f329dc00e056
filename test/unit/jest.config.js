import everything from '../../jest.config.js';

/**
 * The specs beside the code, without a database and without a build.
 * @type {import('jest').Config}
 */
export default {
  ...everything,
  globalSetup: undefined,
  globalTeardown: undefined,
  rootDir: '../..',
  // Some specs wait for timeouts while the others use the processors.
  maxWorkers: 3,
  roots: ['<rootDir>/src', '<rootDir>/packages'],
  // These start processes and belong to the whole suite.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/packages/embedded-postgres/src/embedded-postgres.spec.ts'],
};
