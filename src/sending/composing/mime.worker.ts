import { respondToTasks } from '../../platform/concurrency/index.js';
import { toMime } from './mime.js';

// A worker thread of `MimeEncoder`.
respondToTasks(toMime);
