import { runDemo } from '../../demo/index.js';
import { runAlone } from './run.js';

/** `outreach demo`: runs a whole campaign, then ends the process with the exit code of the demo. */
export async function demo(): Promise<never> {
  await runAlone(async () => {
    process.exitCode = await runDemo();
  });
  process.exit();
}
