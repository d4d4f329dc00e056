import { WorkerHost } from '@nestjs/bullmq';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { QUEUES } from './job-queue.js';

/** Fails the start of a worker in which two queues have one name, or a queue has no processor, or more than one. */
@Injectable()
export class ProcessorCheck implements OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    @Inject(QUEUES) private readonly queues: readonly string[],
  ) {}

  /** @throws Error that names the queue and its processors */
  onApplicationBootstrap(): void {
    const processors = this.discovery.getProviders().flatMap(({ instance }): WorkerHost[] => {
      return instance instanceof WorkerHost ? [instance] : [];
    });
    const taken = this.queues.find((queue, index) => this.queues.indexOf(queue) !== index);
    if (taken !== undefined) throw new Error(`Two queues have the name ${taken}.`);
    for (const queue of this.queues) {
      const names = processors.filter(({ worker }) => worker.name === queue).map(({ constructor }) => constructor.name);
      if (names.length !== 1) {
        throw new Error(`The queue ${queue} needs exactly one processor, but has ${names.join(' and ') || 'none'}.`);
      }
    }
  }
}
