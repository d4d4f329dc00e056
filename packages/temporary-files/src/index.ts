export { TemporaryFolderUnusable, withTemporaryFolder } from './temporary-folder.js';
