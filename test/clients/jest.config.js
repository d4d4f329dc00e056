import baseConfig from '../../jest.config.js';

/** @type {import('jest').Config} */
export default {
  ...baseConfig,
  rootDir: '../..',
  roots: ['<rootDir>/test/clients'],
  testPathIgnorePatterns: ['/node_modules/'],
};
