import { parseId, parseLifetime, runCheck, type Output } from '@outreach/command-line';
import { Command } from 'commander';
import { parseName } from './app/commands/parse-name.js';
import { runReportingAlone, runReportingCommand } from './app/commands/run.js';
import { BUILD, describeBuild } from './app/version.js';

const SANDBOX = 'for trials: a simulated mail server takes its mail, and its clock can be put forward';

// The code of a command is loaded when it runs, so that listing tokens does not load the web framework.
const outreach = new Command('outreach')
  .description('Multi-tenant email outreach service with a REST API')
  .version(`outreach ${describeBuild(BUILD)}`, '--version', 'print the version and the commit');
const workspace = new Command('workspace').description('create, list, rename and delete workspaces');
const token = new Command('token').description('create, list and revoke API tokens');

const blacklist = new Command('blacklist').description('list, remove and review blacklist entries');
const callbacks = new Command('callbacks').description('list and retry events of providers that could not be recorded');
const database = new Command('database').description('place the tables on several nodes, and balance these');
const keys = new Command('keys').description('manage the keys that encrypt stored secrets');
const marketplace = new Command('marketplace').description('manage the templates that all workspaces can copy');

const command = (parent: Command, usage: string, description: string): Command =>
  parent.command(usage).description(description);
const reporting = (parent: Command, usage: string, description: string): Command =>
  command(parent, usage, description).option('--json', 'print exactly one JSON document');

command(outreach, 'serve', 'apply the migrations, then run the role(s) of this process').action(async () =>
  (await import('./app/commands/serve.js')).serve(),
);

command(outreach, 'try', 'serve a sandbox with a running campaign on an embedded database, until Ctrl-C').action(
  async () => (await import('./app/commands/try.js')).tryOut(),
);

reporting(outreach, 'init', 'apply the migrations, then create a workspace and a token with all permissions')
  .option('--name <name>', 'the name of the workspace', parseName, 'My workspace')
  .option('--sandbox', SANDBOX)
  .action((wanted: Output & { name: string; sandbox?: true }) =>
    runReportingCommand(wanted, async () => (await import('./app/commands/init.js')).init(wanted)),
  );

reporting(outreach, 'migrate', 'apply the migrations').action((output: Output) =>
  runReportingCommand(output, async () => (await import('./app/commands/migrate.js')).migrate()),
);

reporting(keys, 'rotate', 'encrypt everything that is stored anew with the first key of ENCRYPTION_KEY').action(
  (output: Output) =>
    runReportingCommand(output, async () => (await import('./app/commands/rotate-keys.js')).rotateKeys()),
);

reporting(outreach, 'doctor', 'check settings, database, Redis, keys, clock, DNS and due work; change nothing').action(
  async (output: Output) => {
    await runReportingAlone(output, async () => {
      // Before the code of the service, which a module may extend.
      const { EXTENSION_CHECK } = await import('./app/doctor/extension-check.js');
      const loaded = await runCheck(EXTENSION_CHECK);
      return (await import('./app/commands/doctor.js')).doctor(loaded);
    });
    // A connection that does not respond may still be open.
    process.exit();
  },
);

reporting(database, 'distribute', 'place the tables on the nodes of Citus (preview); without --yes show where')
  .option('--yes', 'place them; there is no way back but a dump')
  .action((wanted: Output & { yes?: true }) =>
    runReportingCommand(wanted, async () =>
      (await import('./app/commands/distribute-database.js')).distributeDatabase(wanted.yes ?? false),
    ),
  );

reporting(database, 'balance', 'move shards so that the nodes of Citus have equally much; without --yes show which')
  .option('--workspace <id>', 'give this workspace shards of its own instead, on the node that has least', parseId)
  .option('--yes', 'start the moves, which go on in the database')
  .action(({ workspace: id, yes, ...output }: Output & { workspace?: number; yes?: true }) =>
    runReportingCommand(output, async () => {
      const { balanceDatabase, isolateWorkspace } = await import('./app/commands/balance-database.js');
      return id === undefined ? balanceDatabase(yes ?? false) : isolateWorkspace(id, yes ?? false);
    }),
  );

for (const group of [workspace, token, blacklist, callbacks, marketplace, keys, database]) outreach.addCommand(group);

command(outreach, 'demo', 'run a whole campaign against a built-in catch-all mail server')
  .option('--keep', 'leave its database, and say where it is')
  .action(async ({ keep }: { keep?: true }) => (await import('./app/commands/demo.js')).demo(keep ?? false));

reporting(workspace, 'create', 'create a workspace')
  .requiredOption('--name <name>', 'its name', parseName)
  .option('--sandbox', SANDBOX)
  .action((wanted: Output & { name: string; sandbox?: true }) =>
    runReportingCommand(wanted, async () => (await import('./app/commands/workspaces.js')).createWorkspace(wanted)),
  );

reporting(workspace, 'list', 'list all workspaces').action((output: Output) =>
  runReportingCommand(output, async () => (await import('./app/commands/workspaces.js')).listWorkspaces()),
);

reporting(workspace, 'rename', 'rename a workspace')
  .argument('<id>', 'its ID, as in the list', parseId)
  .requiredOption('--name <name>', 'its new name', parseName)
  .action((id: number, wanted: Output & { name: string }) =>
    runReportingCommand(wanted, async () =>
      (await import('./app/commands/workspaces.js')).renameWorkspace(id, wanted.name),
    ),
  );

reporting(workspace, 'delete', 'delete a workspace with everything in it; without --yes show what that is')
  .argument('<id>', 'its ID, as in the list', parseId)
  .option('--yes', 'delete it; this cannot be undone')
  .action((id: number, wanted: Output & { yes?: true }) =>
    runReportingCommand(wanted, async () =>
      (await import('./app/commands/delete-workspace.js')).deleteWorkspace(id, wanted.yes ?? false),
    ),
  );

reporting(blacklist, 'list', 'list the addresses that a workspace has blacklisted')
  .requiredOption('--workspace <id>', 'the workspace of the entries', parseId)
  .action((wanted: Output & { workspace: number }) =>
    runReportingCommand(wanted, async () =>
      (await import('./app/commands/blacklist.js')).listBlacklist(wanted.workspace),
    ),
  );

reporting(blacklist, 'remove', 'remove an address from the blacklist of a workspace')
  .argument('<email>', 'the address')
  .requiredOption('--workspace <id>', 'the workspace that has blacklisted it', parseId)
  .action((email: string, wanted: Output & { workspace: number }) =>
    runReportingCommand(wanted, async () =>
      (await import('./app/commands/blacklist.js')).removeBlacklistEntry(wanted.workspace, email),
    ),
  );

reporting(
  blacklist,
  'review',
  'list bounces of all workspaces whose stored words name no dead address; remove them with --yes',
)
  .option('--yes', 'remove these entries, and make their bounced contacts active')
  .action((wanted: Output & { yes?: true }) =>
    runReportingCommand(wanted, async () =>
      (await import('./app/commands/review-blacklist.js')).reviewBlacklist(wanted.yes ?? false),
    ),
  );

reporting(
  callbacks,
  'list',
  'list the oldest 1,000 events of providers that could not be recorded, with their next attempts',
)
  .option('--workspace <id>', 'only those of this workspace', parseId)
  .action((wanted: Output & { workspace?: number }) =>
    runReportingCommand(wanted, async () =>
      (await import('./app/commands/failed-callbacks.js')).listCallbacks(wanted.workspace),
    ),
  );

reporting(callbacks, 'retry', 'try the events of providers that could not be recorded again now')
  .option('--workspace <id>', 'only those of this workspace', parseId)
  .action((wanted: Output & { workspace?: number }) =>
    runReportingCommand(wanted, async () =>
      (await import('./app/commands/failed-callbacks.js')).retryCallbacks(wanted.workspace),
    ),
  );

reporting(token, 'create', 'create an API token; it is shown only once')
  .requiredOption('--workspace <id>', 'the workspace that the token gives access to', parseId)
  .requiredOption('--name <name>', 'its name', parseName)
  .option('--permissions <list>', 'comma-separated, such as contacts:read,campaigns:write; all if absent')
  .option(
    '--expires <lifetime>',
    'how long it is valid, such as 45s, 30m, 12h or 30d; no limit if absent',
    parseLifetime,
  )
  .action((wanted: Output & { workspace: number; name: string; permissions?: string; expires?: number }) =>
    runReportingCommand(wanted, async () => (await import('./app/commands/tokens.js')).createToken(wanted)),
  );

reporting(token, 'list', 'list the API tokens of a workspace')
  .requiredOption('--workspace <id>', 'the workspace of the tokens', parseId)
  .action((wanted: Output & { workspace: number }) =>
    runReportingCommand(wanted, async () => (await import('./app/commands/tokens.js')).listTokens(wanted.workspace)),
  );

reporting(token, 'revoke', 'revoke an API token immediately')
  .argument('<id>', 'its ID, as in the list', parseId)
  .action((id: number, output: Output) =>
    runReportingCommand(output, async () => (await import('./app/commands/tokens.js')).revokeToken(id)),
  );

reporting(marketplace, 'import', 'publish templates and packs from files, all of them or none')
  .argument('<folder>', 'contains .html files with front matter for templates, and .yaml files for packs')
  .action((folder: string, output: Output) =>
    runReportingCommand(output, async () =>
      (await import('./app/commands/import-marketplace.js')).importMarketplace(folder),
    ),
  );

await outreach.parseAsync();
