import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { FairQueue, type FairQueueLimits } from './fair-queue.js';

/** The limits of a {@link ThreadPool}: as many threads as tasks may run, which are started when they are first needed. */
export interface ThreadPoolLimits extends FairQueueLimits {
  /** A task that takes longer ends together with its thread. The start of a thread does not count. */
  readonly timeoutMs: number;
}

/** A task took longer than its pool permits, or needed too much memory. */
export class TaskTerminated extends Error {
  override readonly name = 'TaskTerminated';
}

/** What a thread replies to a task. */
export type TaskReply<Output> = { readonly output: Output } | { readonly error: unknown };

const MAX_HEAP_MB = 256;

/**
 * Runs tasks that need much processor time in worker threads, so that the event loop continues. The threads are shared
 * between keys by a {@link FairQueue}. Inputs and outputs are copied by the structured clone
 * algorithm.
 */
export class ThreadPool<Input, Output> {
  private readonly places: FairQueue;
  private readonly idle: Worker[] = [];

  /** @param program the module that calls `respondToTasks`, as the URL of its compiled file */
  constructor(
    private readonly program: URL,
    private readonly limits: ThreadPoolLimits,
  ) {
    this.places = new FairQueue(limits);
  }

  /**
   * @throws TaskTerminated; the error of the limit if too many tasks of the key are waiting; what the task throws, as a copy
   *   without its class
   */
  run(key: number, input: Input): Promise<Output> {
    return this.places.run(key, async () => {
      const thread = this.idle.pop() ?? (await this.start());
      const reply = await this.replyOf(thread, input);
      thread.unref();
      this.idle.push(thread);
      if ('error' in reply) throw reply.error;
      return reply.output;
    });
  }

  /** Loading the modules of a thread takes seconds where the processors are busy. */
  private async start(): Promise<Worker> {
    const thread = new Worker(this.program, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
    // The task that is running gets the error; without a listener it would end the process, too.
    thread.on('error', () => undefined);
    // What `respondToTasks` sends first.
    await this.messageOf(thread);
    return thread;
  }

  private replyOf(thread: Worker, input: Input): Promise<TaskReply<Output>> {
    thread.ref();
    thread.postMessage(input);
    return this.messageOf(thread, AbortSignal.timeout(this.limits.timeoutMs)) as Promise<TaskReply<Output>>;
  }

  /** The next message of a thread, which ends if it fails or takes longer than `signal`. */
  private async messageOf(thread: Worker, signal?: AbortSignal): Promise<unknown> {
    try {
      const [message] = (await once(thread, 'message', { signal })) as [unknown];
      return message;
    } catch (cause) {
      await thread.terminate();
      throw new TaskTerminated(`A task failed or took longer than ${this.limits.timeoutMs / 1000} seconds.`, { cause });
    }
  }
}
