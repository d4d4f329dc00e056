import { is, timestamp, view } from '@outreach/http-api/responses';
import type { Permission } from '@outreach/http-api/routes';
import type { Principal } from '../platform/http/requests/index.js';
import type { ApiToken } from './api-token.entity.js';
import { LIMIT_NAMES, type Limits } from '../platform/limits/index.js';
import { PERMISSIONS } from './permissions.js';
import type { Workspace } from './workspace.entity.js';

const shape = {
  id: is.id,
  /** What the token is for. At most 255 characters. */
  name: is.string,
  /** What the token may do. */
  permissions: is.arrayOf(is.oneOf(PERMISSIONS)),
  /** When it ends; null if it does not. */
  expires_at: is.nullable(is.timestamp),
  /** When it was last used, to the minute; null if it never was. */
  last_used_at: is.nullable(is.timestamp),
  created_at: is.timestamp,
};

export const tokenView = view('ApiToken', shape);

/** A new token with its plaintext, which no later response shows. */
export const newTokenView = view(
  'NewApiToken',
  {
    ...shape,
    /** The token for the header `Authorization`. This is the only response that shows it. */
    token: is.string,
  },
  ({ record, token }: { record: ApiToken; token: string }) => ({ ...tokenView.toJson(record), token }),
);

export const meView = view(
  'Me',
  {
    /** The workspace of the token. */
    workspace: is.shape('Workspace', {
      /** The ID of the workspace. */
      id: is.id,
      /** The name of the workspace. */
      name: is.string,
      /** Whether it is a sandbox: for trials, with a simulated mail server and a clock of its own. No mail leaves it. */
      is_sandbox: is.boolean,
    }),
    /** The token of this request. */
    token: is.shape('CurrentToken', {
      /** The ID of the token. */
      id: is.id,
      /** What the token is for. */
      name: is.string,
      /** What the token may do. */
      permissions: is.arrayOf(is.oneOf(PERMISSIONS)),
      /** When it ends; null if it does not. */
      expires_at: is.nullable(is.timestamp),
    }),
    /** How many records of each kind the workspace can have. More are refused with 422. */
    limits: is.shape('WorkspaceLimits', Object.fromEntries(LIMIT_NAMES.map((name) => [name, is.integer]))),
  },
  ({ workspace, caller, limits }: { workspace: Workspace; caller: Principal; limits: Limits }) => ({
    workspace: { id: workspace.id, name: workspace.name, is_sandbox: workspace.is_sandbox },
    token: {
      id: caller.token_id,
      name: caller.name,
      permissions: caller.permissions satisfies readonly Permission[],
      expires_at: timestamp(caller.expires_at),
    },
    limits,
  }),
);
