import everything from '../../jest.config.js';

/** @type {import('jest').Config} */
export default {
  ...everything,
  rootDir: '../..',
  roots: ['<rootDir>/test/pages'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
  testTimeout: 60_000,
};
