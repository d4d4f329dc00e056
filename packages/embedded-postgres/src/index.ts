export { giveToDirectoryOwner } from './directory-owner.js';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  findRunning,
  hasCluster,
  openEmbeddedPostgres,
} from './embedded-postgres.js';
export {
  DataDirectoryBusy,
  DataDirectoryUnusable,
  EmbeddedPostgresFailure,
  EmbeddedPostgresUnavailable,
} from './embedded-postgres-failure.js';
