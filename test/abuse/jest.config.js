import baseConfig from '../../jest.config.js';

/** @type {import('jest').Config} */
export default {
  ...baseConfig,
  rootDir: '../..',
  // The matrix of isolation belongs to `npm test`, too.
  roots: ['<rootDir>/test/abuse', '<rootDir>/test/isolation'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 2,
};
