import baseConfig from '../../jest.config.js';

/** @type {import('jest').Config} */
export default {
  ...baseConfig,
  rootDir: '../..',
  roots: ['<rootDir>/test/costs'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
