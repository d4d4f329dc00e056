import baseConfig from '../../jest.config.js';

/** @type {import('jest').Config} */
export default {
  ...baseConfig,
  rootDir: '../..',
  roots: ['<rootDir>/test/pages'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 2,
};
