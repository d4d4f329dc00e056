import { respondToTasks } from '@outreach/concurrency';
import { convertBody } from './convert-body.js';

// A worker thread of `BodyCache`.
respondToTasks(convertBody);
