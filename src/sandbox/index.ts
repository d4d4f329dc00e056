export { SandboxClock } from './clock/sandbox-clock.entity.js';
export { SandboxClocks } from './clock/sandbox-clocks.cross-tenant.js';
export { SANDBOX_CLOCKS, SANDBOX_REACTIONS } from './queues.js';
export { SandboxGuard } from './sandbox.guard.js';
export { SandboxModule, SandboxWorkerModule } from './sandbox.module.js';
