import { respondToTasks } from '../../platform/concurrency/index.js';
import { convertBody } from './convert-body.js';

// A worker thread of `BodyCache`.
respondToTasks(convertBody);
