import baseConfig from '../../jest.config.js';

/** @type {import('jest').Config} */
export default {
  ...baseConfig,
  rootDir: '../..',
  roots: ['<rootDir>/test/slow'],
  testPathIgnorePatterns: ['/node_modules/'],
};
