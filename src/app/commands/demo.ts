import { type DemoService, runDemo } from '@outreach/demo';
import { untilStopSignal, waitForUncaughtError } from '@outreach/command-line';
import { Log } from '@outreach/logging';
import { Database } from '../../platform/database/index.js';
import { issueToken, PERMISSIONS, Workspaces } from '../../workspaces/index.js';
import { openMigrated } from '../open-database.js';
import { startRole } from '../serve.js';
import { loadConfig, type ServiceConfig } from '../settings.js';
import { runAlone } from './run.js';

// Relative to the compiled code.
const CONTACTS = new URL('../../../../examples/contacts.csv', import.meta.url);

/** `outreach demo`: runs a whole campaign, then ends the process with the exit code of the demo. */
export async function demo(): Promise<never> {
  await runAlone(async () => {
    process.exitCode = await untilStopSignal((signal) =>
      runDemo({ startService, contacts: CONTACTS, output: process.stdout, signal }),
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
    createToken: (workspaceName) => createToken(config, workspaceName),
    stop: () => service.stop(),
  };
}

/** Creates a workspace and a token, like `outreach workspace create` and `outreach token create`. */
async function createToken(config: ServiceConfig, workspaceName: string): Promise<string> {
  const opened = await openMigrated(config, { as: 'command' });
  try {
    const workspaces = new Workspaces(new Database(opened.source));
    const workspace = await workspaces.create(workspaceName);
    const scope = await workspaces.scope(workspace.id);
    return (await issueToken(scope, { name: 'demo', permissions: PERMISSIONS })).token;
  } finally {
    await opened.close();
  }
}
