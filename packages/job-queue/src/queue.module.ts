import { BullModule, getQueueToken } from '@nestjs/bullmq';
import { type DynamicModule, Global, Inject, Module, type OnModuleInit, type Type } from '@nestjs/common';
import { DiscoveryModule, ModuleRef } from '@nestjs/core';
import type { Queue } from 'bullmq';
import { DecoratedMethodsModule } from '@outreach/decorated-methods';
import { Log } from '@outreach/logging';
import { DueWorkHost } from './due-work-host.js';
import { DueWorkPoller } from './due-work-poller.js';
import { TaskScheduler } from './task-scheduler.js';
import { JobQueue, QUEUES } from './job-queue.js';
import { ProcessorCheck } from './processor-check.js';
import { WorkProgress } from './work-progress.js';
import { WorkerSession } from './worker-session.js';
import { QUEUE_STORE, queueConnection, queueOptions, type NamedQueueStore } from './queue-store.js';

/** The queues. Processes that only add jobs import this module alone; workers import {@link SchedulerModule} too. */
@Global()
@Module({})
export class QueueModule implements OnModuleInit {
  constructor(
    @Inject(QUEUES) private readonly queues: readonly string[],
    private readonly modules: ModuleRef,
    private readonly jobQueue: JobQueue,
  ) {}

  /**
   * @param queues the names of all queues of the service
   * @param host a provider that is created here
   */
  static on(store: NamedQueueStore, queues: readonly string[], host: Type<DueWorkHost>): DynamicModule {
    return {
      module: QueueModule,
      imports: [
        BullModule.forRootAsync({ inject: [Log], useFactory: (log: Log) => queueConnection(store, log) }),
        BullModule.registerQueue(...queues.map((name) => ({ name, ...queueOptions(store, name) }))),
        DecoratedMethodsModule,
        DiscoveryModule,
      ],
      providers: [
        JobQueue,
        WorkProgress,
        { provide: DueWorkHost, useClass: host },
        { provide: QUEUES, useValue: queues },
        { provide: QUEUE_STORE, useValue: store },
      ],
      exports: [DueWorkHost, JobQueue, WorkProgress, QUEUES, QUEUE_STORE, BullModule],
    };
  }

  /**
   * Listens for errors of the queues' connections, because they are printed otherwise. If the first connection of a
   * queue fails, so does the start: the queue would never recover.
   */
  async onModuleInit(): Promise<void> {
    for (const name of this.queues) {
      const queue = this.modules.get<Queue>(getQueueToken(name), { strict: false });
      queue.on('error', (error: Error) => this.report(queue, error));
      await queue.waitUntilReady();
    }
  }

  /** While the queue closes, its connections may end before it has released them. That is not an error. */
  private report(queue: Queue, error: Error): void {
    if (!queue.closing) this.jobQueue.reportError(queue.name, error);
  }
}

/** Scheduled tasks, the check of the processors, and the session of the process. Only workers import it. */
@Module({
  imports: [DecoratedMethodsModule, DiscoveryModule],
  providers: [DueWorkPoller, TaskScheduler, ProcessorCheck, WorkerSession],
  exports: [DueWorkPoller, WorkerSession],
})
export class SchedulerModule {}
