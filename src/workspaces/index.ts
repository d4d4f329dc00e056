export { ApiToken } from './api-token.entity.js';
export { isPermission, PERMISSIONS } from './permissions.js';
export { TOKEN_CACHE_MS } from './token-cache.js';
export { TokenGuard } from './token.guard.js';
export { TokenLookup } from './tokens.cross-tenant.js';
export { issueToken, type TokenGrant } from './tokens.service.js';
export { Workspace } from './workspace.entity.js';
export { Workspaces } from './workspaces.cross-tenant.js';
export { WorkspacesModule } from './workspaces.module.js';
