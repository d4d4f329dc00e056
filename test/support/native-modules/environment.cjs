const { ModernFakeTimers } = require('@jest/fake-timers');
const { TestEnvironment } = require('jest-environment-node');

/**
 * The realm of Jest's framework (`expect`, `jest`). The tests are outside of it (see `runtime.cjs`): it gets the constructors
 * of theirs, so that `expect.any(String)` and `instanceof` mean the same on both sides, and fakes their timers.
 */
module.exports = class NativeEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    for (const name of Object.getOwnPropertyNames(globalThis)) {
      if (/^[A-Z]/.test(name) && typeof globalThis[name] === 'function') this.global[name] = globalThis[name];
    }
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: globalThis });
  }
};
