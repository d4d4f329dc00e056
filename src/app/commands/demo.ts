import { type DemoService, runDemo } from '@outreach/demo';
import { untilStopSignal, waitForUncaughtError } from '@outreach/command-line';
import { Log } from '@outreach/logging';
import { startRole } from '../serve.js';
import { loadConfig } from '../settings.js';
import { createAccess } from './create-access.js';
import { runAlone } from './run.js';
import { withDatabase } from './with-database.js';

// Relative to the compiled code.
const CONTACTS = new URL('../../../../examples/contacts.csv', import.meta.url);

/**
 * `outreach demo`: runs a whole campaign, then ends the process with the exit code of the demo.
 * @param keep whether its database stays
 */
export async function demo(keep: boolean): Promise<never> {
  await runAlone(async () => {
    process.exitCode = await untilStopSignal((signal) =>
      runDemo({ startService, contacts: CONTACTS, output: process.stdout, signal, keep }),
    );
  });
  process.exit();
}

async function startService(settings: Readonly<Record<string, string>>): Promise<DemoService> {
  const config = loadConfig(settings);
  const log = new Log(config.log_level, config.log_format);
  const service = await startRole(config, log);
  return {
    lost: Promise.race([service.lost, waitForUncaughtError(log)]),
    createToken: async (name) => {
      const { token } = await withDatabase((database) => createAccess(database, { name, token_name: 'demo' }), config);
      return token;
    },
    stop: () => service.stop(),
  };
}
