import { is, view } from '../../platform/http/index.js';
import type { Workspace } from '../workspace.entity.js';

/** The settings of a workspace. */
export type WorkspaceSettings = Pick<Workspace, 'postal_address'>;

export const settingsView = view(
  'WorkspaceSettings',
  { postal_address: is.nullable(is.string) },
  ({ postal_address }: WorkspaceSettings) => ({ postal_address }),
);
