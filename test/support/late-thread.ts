import { setTimeout as sleep } from 'node:timers/promises';

// A thread that takes longer to start than its tasks may take.
await sleep(2_000);
await import('./thread-tasks.js');
