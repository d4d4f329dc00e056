import type { WorkspaceScope } from '../platform/tenancy/index.js';

/** Returns the body of a delivery (API v1, "Events") as the text that is signed and sent. */
export const eventBody = (scope: WorkspaceScope, event: string, data: object): string =>
  eventBodyWith(scope, event, JSON.stringify(data));

/** Like {@link eventBody}, with `data` as JSON text. */
export const eventBodyWith = (scope: WorkspaceScope, event: string, data: string): string =>
  `{"event":${JSON.stringify(event)},"workspace_id":${scope.workspace_id},"data":${data}}`;
