import { respondToTasks } from '@outreach/concurrency';
import { runParserTask } from './parser-task.js';

// A worker thread of `MailParser`.
respondToTasks(runParserTask);
