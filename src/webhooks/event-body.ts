import type { WorkspaceScope } from '../platform/tenancy/index.js';

/** Returns the body of a delivery (API v1, "Events") as the text that is signed and sent. */
export const eventBody = (scope: WorkspaceScope, event: string, data: object): string =>
  JSON.stringify({ event, workspace_id: scope.workspace_id, data });
