export { encodeRows } from './encode-rows.js';
export { WorkspaceEnvelope } from './workspace-envelope.js';
