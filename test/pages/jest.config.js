import everything from '../../jest.config.js';

/** @type {import('jest').Config} */
export default {
  ...everything,
  rootDir: '../..',
  roots: ['<rootDir>/test/pages'],
  testPathIgnorePatterns: ['/node_modules/'],
  // CommonJS as they are; compiling them takes longer than the suites.
  transformIgnorePatterns: ['/node_modules/(playwright-core|axe-core)/'],
  maxWorkers: 1,
  testTimeout: 60_000,
};
