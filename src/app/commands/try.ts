import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonOf, showProgress } from '@outreach/command-line';
import { DemoFailed, startSampleCampaign } from '@outreach/demo';
import { giveToDirectoryOwner } from '@outreach/embedded-postgres';
import { hashToken } from '@outreach/keyring';
import { databaseUrl } from '../../platform/config/index.js';
import type { Database } from '../../platform/database/index.js';
import { TokenLookup, Workspaces } from '../../workspaces/index.js';
import { readConfig, type ServiceConfig } from '../settings.js';
import { StartFailed } from '../start-failed.js';
import { allowAll, createAccess } from './create-access.js';
import { runCommand } from './run.js';
import { runUntilStopSignal } from './serve.js';
import { withDatabase } from './with-database.js';

const WORKSPACE = 'Trial';
const TOKEN_NAME = 'try';

/** Addresses to listen on that `localhost` leads to. */
const LOCAL = ['127.0.0.1', 'localhost', '0.0.0.0', '::', '::1'];

/** What `try.json` in `DATA_DIR` has: the token is stored hashed elsewhere, and is shown again by the next `outreach try`. */
interface TrialAccess {
  readonly workspace_id: number;
  readonly token: string;
}

/**
 * `outreach try`: serves a sandbox workspace with a running campaign until it gets a signal to stop, then ends the process. Its
 * embedded database stays, and the next call goes on with it.
 */
export async function tryOut(): Promise<never> {
  await runCommand(async () => {
    const config = trialConfig();
    showProgress(`Starting an embedded PostgreSQL in ${config.data_dir}`);
    await runUntilStopSignal(config, () => showTrial(config));
  });
  process.exit();
}

/** The service ignores a Redis, which other installations may use. @throws StartFailed if there is another database */
function trialConfig(): ServiceConfig {
  if (databaseUrl() !== undefined) {
    throw new StartFailed(
      'DATABASE_URL is set, and "outreach try" uses a database of its own: run it where neither the environment nor .env ' +
        'sets DATABASE_URL, or create a sandbox in that database with "outreach init --sandbox".',
    );
  }
  return { ...readConfig({ LOG_LEVEL: 'warn' }), role: 'all', redis_url: undefined };
}

async function showTrial(config: ServiceConfig): Promise<void> {
  const url = `http://${LOCAL.includes(config.host) ? 'localhost' : config.host}:${config.port}`;
  const file = join(config.data_dir, 'try.json');
  const stored = await storedAccess(file);
  const [access, count] = await withDatabase(async (database) => {
    const opened = await openTrial(database, stored, url);
    return [opened, (await new Workspaces(database).list()).length] as const;
  }, config);
  if (access !== stored) await store(file, access);
  process.stdout.write(`${trialText({ ...access, url, file, config, is_alone: count === 1 })}\n`);
}

/** @returns what is stored, if its token is accepted; else a new token, in a new workspace if the stored one is gone */
async function openTrial(database: Database, stored: TrialAccess | undefined, url: string): Promise<TrialAccess> {
  if (stored && (await new TokenLookup(database).principal(hashToken(stored.token)))) return stored;
  const workspaces = await new Workspaces(database).list();
  const workspace = workspaces.find(({ id }) => id === stored?.workspace_id);
  if (workspace) {
    const { token } = await allowAll(database, workspace.id, TOKEN_NAME);
    return { workspace_id: workspace.id, token };
  }
  const created = await createAccess(database, { name: WORKSPACE, sandbox: true, token_name: TOKEN_NAME });
  await startSampleCampaign({ url, token: created.token }).catch((error: unknown) => {
    throw error instanceof DemoFailed ? new StartFailed(error.message) : error;
  });
  return { workspace_id: created.workspace.id, token: created.token };
}

async function store(file: string, access: TrialAccess): Promise<void> {
  await writeFile(file, `${JSON.stringify(access)}\n`, { mode: 0o600 });
  await giveToDirectoryOwner(file);
}

async function storedAccess(file: string): Promise<TrialAccess | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as TrialAccess;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new StartFailed(`Cannot read ${file}: ${reasonOf(error)}. Delete the file to get a new workspace.`);
  }
}

interface ShownTrial extends TrialAccess {
  readonly url: string;
  readonly file: string;
  readonly config: ServiceConfig;
  /** Whether the database has no other workspace. */
  readonly is_alone: boolean;
}

function trialText({ url, file, token, workspace_id: id, config, is_alone: isAlone }: ShownTrial): string {
  const { data_dir: directory } = config;
  const authorization = `-H 'Authorization: Bearer ${token}'`;
  const deletion = isAlone ? `rm -r ${directory}` : `DATA_DIR=${directory} outreach workspace delete ${id} --yes`;
  return `
outreach runs at ${url}, with a sandbox: no mail leaves this machine.

  Reference   ${url}/docs
  Token       ${token}
  Workspace   ${id}, in which the token may do everything (it is also in ${file})

What the campaign of the sandbox has sent to its sample contacts:
  curl ${authorization} ${url}/v1/sandbox/messages

Its follow-ups are due in three days. This puts the clock of the sandbox forward:
  curl ${authorization} -H 'Content-Type: application/json' -d '{"advance_seconds":259200}' ${url}/v1/sandbox/clock

Ctrl-C stops it. The data stays in ${directory}, and "outreach try" goes on with it.
To delete it: ${deletion}`.trimStart();
}
