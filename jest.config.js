// Nest 12 is ESM and @nestjs/throttler is CommonJS that requires it. Jest on Node 20 cannot require an ES module,
// so our modules and the packages that are ESM only are compiled to CommonJS by SWC (cached between runs).
const jsc = (parser, transform) => ({ target: 'es2023', parser, transform, keepClassNames: true });

/** Packages without a CommonJS build. A missing one fails with "Cannot use import statement outside a module". */
const ESM_ONLY = ['@nestjs/', 'p-limit/', 'yocto-queue/', '@apidevtools/'];

/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test', '<rootDir>/src'],
  testMatch: ['**/*.spec.ts'],
  // What needs a browser is run by `npm run test:pages`.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/pages/'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.js', '$1'] },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        swcrc: false,
        sourceMaps: 'inline',
        module: { type: 'commonjs' },
        jsc: jsc(
          { syntax: 'typescript', decorators: true },
          { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
        ),
      },
    ],
    '^.+\\.m?js$': [
      '@swc/jest',
      { swcrc: false, sourceMaps: false, module: { type: 'commonjs' }, jsc: jsc({ syntax: 'ecmascript' }) },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!${ESM_ONLY.join('|')})`],
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  reporters: ['default', '<rootDir>/test/support/closing-line.mjs'],
  coverageProvider: 'v8',
  collectCoverageFrom: ['src/**/*.ts', '!src/main.ts', '!src/**/migrations/**'],
  workerIdleMemoryLimit: '1GB',
  maxWorkers: 2,
  testTimeout: 30_000,
};
