import type { WorkspaceScope } from '../platform/tenancy/index.js';

/** The body of a delivery (API v1, "Events"), as text: what is signed is what is sent, byte for byte. */
export const bodyOf = (scope: WorkspaceScope, event: string, data: object): string =>
  JSON.stringify({ event, workspace_id: scope.workspace_id, data });
