import { is, view } from '../../platform/http/index.js';
import type { Workspace } from '../workspace.entity.js';

/** The columns of a workspace that are its settings. */
export const WORKSPACE_SETTINGS = ['postal_address', 'brand_name', 'brand_color', 'logo_url'] as const;

/** The settings of a workspace. */
export type WorkspaceSettings = Pick<Workspace, (typeof WORKSPACE_SETTINGS)[number]>;

export const settingsView = view(
  'WorkspaceSettings',
  {
    postal_address: is.nullable(is.string),
    brand_name: is.nullable(is.string),
    brand_color: is.nullable(is.string),
    logo_url: is.nullable(is.string),
  },
  ({ postal_address, brand_name, brand_color, logo_url }: WorkspaceSettings) => ({
    postal_address,
    brand_name,
    brand_color,
    logo_url,
  }),
);
