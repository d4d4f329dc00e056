import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { DrainProcessor } from './drain-processor.js';

/** Whether the processors of this process make progress. A process without processors always does. */
@Injectable()
export class WorkProgress {
  constructor(private readonly discovery: DiscoveryService) {}

  /** @returns whether a processor has ended, or leaves due work alone although it has capacity */
  async isStalled(): Promise<boolean> {
    const processors = this.discovery.getProviders().flatMap(({ instance }): DrainProcessor[] => {
      return instance instanceof DrainProcessor ? [instance] : [];
    });
    const stalled = await Promise.all(processors.map((processor) => processor.isStalled()));
    return stalled.includes(true);
  }
}
