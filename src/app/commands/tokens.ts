import { setTimeout as delay } from 'node:timers/promises';
import { type CommandReport, table } from '@outreach/command-line';
import { InvalidArgumentError } from 'commander';
import { NotFound } from '@outreach/http-errors';
import { timestamp } from '@outreach/http-api/responses';
import type { Permission } from '@outreach/http-api/routes';
import { SandboxClocks } from '../../sandbox/index.js';
import {
  ApiToken,
  isPermission,
  issueToken,
  PERMISSIONS,
  TOKEN_CACHE_MS,
  TokenLookup,
  Workspaces,
} from '../../workspaces/index.js';
import { withDatabase } from './with-database.js';

/** The options of the command; `expires` is a lifetime in seconds. */
interface WantedToken {
  readonly workspace: number;
  readonly name: string;
  readonly permissions?: string;
  readonly expires?: number;
}

/** `outreach token create`: grants all permissions if none are given. Only this report contains the token. */
export async function createToken({ workspace, name, permissions, expires }: WantedToken): Promise<CommandReport> {
  const granted = permissions === undefined ? PERMISSIONS : readPermissions(permissions);
  const { record, token } = await withDatabase(async (database) => {
    const scope = await new Workspaces(database.withClocks(new SandboxClocks())).scope(workspace);
    const end = expires === undefined ? null : new Date(scope.clock.now().getTime() + expires * 1000);
    return issueToken(scope, { name, permissions: granted, expires_at: end });
  });
  const json = { id: record.id, token, permissions: record.permissions, expires_at: timestamp(record.expires_at) };
  const validity = json.expires_at === null ? 'until it is revoked' : `until ${json.expires_at}`;
  const about = `Token ${json.id} of workspace ${workspace}, valid ${validity}, may ${json.permissions.join(' ')}`;
  return { json, text: `${about}\nIt is shown only once:\n${token}` };
}

/** @throws InvalidArgumentError that names the first item that is not a permission */
function readPermissions(text: string): Permission[] {
  const named = [...new Set(text.split(',').map((item) => item.trim()))];
  const wrong = named.find((item) => !isPermission(item));
  if (wrong === undefined) return named.filter(isPermission);
  throw new InvalidArgumentError(
    `${JSON.stringify(wrong)} is not a permission; the permissions are ${PERMISSIONS.join(', ')}.`,
  );
}

const HEADS = ['ID', 'EXPIRES', 'LAST USED', 'NAME', 'PERMISSIONS'];

/** `outreach token list` */
export async function listTokens(workspace: number): Promise<CommandReport> {
  const tokens = await withDatabase(async (database) => {
    const scope = await new Workspaces(database).scope(workspace);
    return scope.of(ApiToken).find({});
  });
  const json = tokens.map(({ id, name, permissions, expires_at, last_used_at }) => ({
    id,
    name,
    permissions,
    expires_at: timestamp(expires_at),
    last_used_at: timestamp(last_used_at),
  }));
  const rows = json.map((each) => [
    String(each.id),
    each.expires_at ?? 'never',
    each.last_used_at ?? 'never',
    each.name,
    each.permissions.join(' '),
  ]);
  return { json, text: rows.length === 0 ? 'The workspace has no tokens.' : table(HEADS, rows) };
}

/** `outreach token revoke`: when the command ends, no process accepts the token. @throws NotFound */
export async function revokeToken(id: number): Promise<CommandReport> {
  const revoked = await withDatabase((database) => new TokenLookup(database).revoke(id));
  if (!revoked) throw new NotFound(`Token ${id}`);
  // Running servers may still have the token in their caches.
  await delay(TOKEN_CACHE_MS);
  return { json: { id }, text: `Revoked token ${id}.` };
}
