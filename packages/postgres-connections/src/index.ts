export { connectionOptions, newClient } from './connection-options.js';
export {
  type DatabaseAddress,
  type DatabaseServer,
  describeDatabase,
  parseDatabaseAddress,
  WrongDatabaseAddress,
} from './database-address.js';
export { type StatementEnd, withDeadline } from './deadline.js';
export { beginWith, isReady } from './first-statement.js';
export { checkNewConnection } from './lost-connections.js';
export { hasOwnSession, isSameDatabase } from './sessions.js';
