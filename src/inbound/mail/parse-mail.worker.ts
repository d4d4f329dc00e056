import { respondToTasks } from '../../platform/concurrency/index.js';
import { runParserTask } from './parser-task.js';

// A worker thread of `MailParser`.
respondToTasks(runParserTask);
