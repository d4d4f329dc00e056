import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { collectDefaultMetrics, type Gauge, register } from 'prom-client';
import { RecentResult } from '@outreach/concurrency';
import { DecoratedMethods } from '@outreach/decorated-methods';
import { Log } from '@outreach/logging';
import { MEASURED, type SampleDeclaration, SAMPLED } from './decorators.js';
import { Sampler } from './sampler.js';

/** The text of all metrics is made at most once in this time. */
const MAX_AGE_MS = 1_000;

/** The token of a gauge for the age of the values of each sample. */
export const SAMPLE_AGE = Symbol('sample age');

/**
 * The metrics of this process as Prometheus reads them, from memory: only the first scrape waits for the database and Redis,
 * for a second.
 */
@Injectable()
export class Metrics implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly contentType = register.contentType;
  private measured: readonly (() => unknown)[] = [];
  private sampler: Sampler | undefined;
  private readonly recent = new RecentResult(() => this.collect(), MAX_AGE_MS);

  constructor(
    private readonly methods: DecoratedMethods,
    private readonly log: Log,
    @Inject(SAMPLE_AGE) private readonly sampleAge: Gauge<'sample'>,
  ) {}

  onApplicationBootstrap(): void {
    // Node's own: processor, memory, event loop, garbage collection. A process of the tests starts several applications.
    if (!register.getSingleMetric('process_cpu_seconds_total')) collectDefaultMetrics();
    this.measured = this.methods.withMetadata(MEASURED).map(({ call }) => call);
    const samples = this.methods.withMetadata<SampleDeclaration>(SAMPLED);
    this.sampler = new Sampler(
      samples.map(({ metadata, call }) => ({ ...metadata, take: async () => call() })),
      this.log,
    );
  }

  /** @returns all metrics in the text format of Prometheus */
  text(): Promise<string> {
    return this.recent.get();
  }

  /** While the database is still open. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.sampler?.stop();
  }

  private async collect(): Promise<string> {
    for (const measure of this.measured) measure();
    await this.sampler?.noteScrape();
    this.sampleAge.reset();
    for (const [sample, age] of this.sampler?.ages() ?? []) this.sampleAge.set({ sample }, age);
    return register.metrics();
  }
}
