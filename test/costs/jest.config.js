import baseConfig from '../../jest.config.js';

// The transactions of autovacuum count like those of the service.
process.env.TEST_AUTOVACUUM = 'off';

/** @type {import('jest').Config} */
export default {
  ...baseConfig,
  rootDir: '../..',
  roots: ['<rootDir>/test/costs'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
