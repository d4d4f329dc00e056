import { runDemo } from '../../demo/index.js';
import { runToEnd } from './run.js';

/** `outreach demo`: plays the whole journey, then ends the process with its exit code. */
export async function demo(): Promise<never> {
  await runToEnd(async () => {
    process.exitCode = await runDemo();
  });
  process.exit();
}
