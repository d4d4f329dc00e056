import { setTimeout as sleep } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { respondToTasks } from '@outreach/concurrency';

// The thread of the specs of `ThreadPool`.
respondToTasks(async (task: 'thread' | 'wait' | 'fail' | 'never end' | 'exit'): Promise<number> => {
  if (task === 'fail') throw new RangeError('no');
  if (task === 'exit') process.exit(1);
  while (task === 'never end');
  if (task === 'wait') await sleep(50);
  return threadId;
});
