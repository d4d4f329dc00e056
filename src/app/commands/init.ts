import type { CommandReport } from '@outreach/command-line';
import { Workspaces } from '../../workspaces/index.js';
import { StartFailed } from '../start-failed.js';
import { createAccess } from './create-access.js';
import { withMigratedDatabase } from './with-database.js';

/** The name of the tokens that it creates. */
const TOKEN_NAME = 'init';

/**
 * `outreach init`: a workspace and a token with all permissions, which only this report contains; in an empty database, or one
 * of an earlier version, after the migrations.
 * @throws StartFailed if a workspace has this name: a second call is probably a mistake, although names need not be unique
 */
export async function init(wanted: { name: string; sandbox?: true }): Promise<CommandReport> {
  const { workspace, record, token, url } = await withMigratedDatabase(async (database, { config }) => {
    const same = (await new Workspaces(database).list()).find(({ name }) => name === wanted.name);
    if (same) throw existsAlready(same);
    const created = await createAccess(database, { ...wanted, token_name: TOKEN_NAME });
    return { ...created, url: config.public_url };
  });
  const { id, name, is_sandbox } = workspace;
  return {
    json: {
      workspace: { id, name, is_sandbox },
      token: { id: record.id, token, permissions: record.permissions, expires_at: null },
    },
    text: [
      `Created ${is_sandbox ? 'sandbox workspace' : 'workspace'} ${id}: ${name}`,
      `Token ${record.id} has all permissions in it, until it is revoked. It is shown only once:`,
      token,
      '',
      'Next: start the service with "outreach serve", if it does not run, and try the token:',
      `  curl -H 'Authorization: Bearer ${token}' ${url}/v1/me`,
    ].join('\n'),
  };
}

const existsAlready = ({ id, name }: { readonly id: number; readonly name: string }): StartFailed =>
  new StartFailed(
    `Workspace ${id} has the name ${JSON.stringify(name)} already, and nothing was created: get a token for it with ` +
      `"outreach token create --workspace ${id} --name …", or take another name with --name.`,
  );
