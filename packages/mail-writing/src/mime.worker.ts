import { respondToTasks } from '@outreach/concurrency';
import { signed } from './dkim-signature.js';
import type { MimeTask } from './mime-encoder.js';
import { toMime } from './mime.js';

// A worker thread of `MimeEncoder`.
respondToTasks(({ mail, signer }: MimeTask) => (signer ? signed(toMime(mail), signer) : toMime(mail)));
