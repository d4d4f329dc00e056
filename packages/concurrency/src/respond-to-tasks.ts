import { parentPort } from 'node:worker_threads';
import type { TaskReply } from './thread-pool.js';

/** Runs the tasks of a `ThreadPool`, one after the other, in the worker thread that calls this. */
export function respondToTasks<Input, Output>(run: (input: Input) => Output | Promise<Output>): void {
  parentPort?.on('message', (input: Input) => {
    void replyTo(run, input).then((reply) => parentPort?.postMessage(reply));
  });
  parentPort?.postMessage('ready');
}

async function replyTo<Input, Output>(
  run: (input: Input) => Output | Promise<Output>,
  input: Input,
): Promise<TaskReply<Output>> {
  try {
    return { output: await run(input) };
  } catch (error) {
    return { error };
  }
}
