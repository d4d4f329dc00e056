import { respondToTasks } from '../../platform/concurrency/index.js';
import { parseMail } from './parse-mail.js';

// A worker thread of `MailParser`.
respondToTasks(parseMail);
