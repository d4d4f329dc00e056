import type { Gauge } from 'prom-client';
import type { Log } from '@outreach/logging';
import { clearGauge } from './declared-gauge.js';
import type { SampleDeclaration } from './decorators.js';

/** For how long samples are repeated after the last scrape. */
const OBSERVED_MS = 10 * 60_000;
const MS_PER_SECOND = 1000;

/** A sample that takes long is taken more rarely: it pauses for this many times its duration, so it takes 1 % of the time. */
const PAUSE_DURATIONS = 99;
/** The first scrape waits for its samples for so long at most. */
const FIRST_WAIT_MS = 1000;
/** The longest such pause after a failure: the next sample may find that an outage is over. */
const MAX_FAILURE_PAUSE_MS = 60_000;

/** A declared sample, and what takes it. */
export interface Sample extends SampleDeclaration {
  take(): Promise<unknown>;
}

interface SampleState {
  /** Whether it is taken now or waits for its next time. */
  isScheduled: boolean;
  isFailing: boolean;
  /** When it was taken last with success, by `performance.now()`. */
  takenAt: number | undefined;
  timer?: NodeJS.Timeout;
}

/**
 * Takes samples while somebody scrapes the metrics, one after the other, so that they need one connection at most. A process
 * that nobody scrapes takes none. If a sample fails, its gauges have no values until the next one succeeds.
 */
export class Sampler {
  private readonly states: ReadonlyMap<Sample, SampleState>;
  private lastScrape = -Infinity;
  private isStopped = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    samples: readonly Sample[],
    private readonly log: Pick<Log, 'warn'>,
  ) {
    this.states = new Map(
      samples.map((sample) => [sample, { isScheduled: false, isFailing: false, takenAt: undefined }]),
    );
  }

  /**
   * The metrics are read: begins to take samples, or goes on. Waits for the samples that begin now, for a second at most, so
   * that the first scrape has their values unless the database is slow.
   */
  async noteScrape(): Promise<void> {
    this.lastScrape = performance.now();
    const begun = [...this.states].filter(([, { isScheduled }]) => !isScheduled);
    if (begun.length === 0) return;
    for (const [sample, state] of begun) this.enqueue(sample, state);
    await withinFirstWait(this.running);
  }

  /** @returns for each sample that has values how many seconds ago it was taken */
  ages(): ReadonlyMap<string, number> {
    const taken = [...this.states].flatMap(([{ name }, { takenAt }]) =>
      takenAt === undefined ? [] : [[name, (performance.now() - takenAt) / MS_PER_SECOND] as const],
    );
    return new Map(taken);
  }

  /** Takes no more samples. Resolves when the current one has ended. */
  async stop(): Promise<void> {
    this.isStopped = true;
    for (const { timer } of this.states.values()) clearTimeout(timer);
    await this.running;
  }

  private enqueue(sample: Sample, state: SampleState): void {
    state.isScheduled = true;
    this.running = this.running.then(() => this.run(sample, state));
  }

  private async run(sample: Sample, state: SampleState): Promise<void> {
    if (this.isStopped) return;
    const startedAt = performance.now();
    await this.take(sample, state);
    const longest = state.isFailing ? MAX_FAILURE_PAUSE_MS : Number.POSITIVE_INFINITY;
    const pause = Math.min((performance.now() - startedAt) * PAUSE_DURATIONS, longest);
    state.timer = setTimeout(() => this.repeat(sample, state), Math.max(pause, sample.seconds * MS_PER_SECOND)).unref();
  }

  /** Never rejects. Logs the first failure of an outage. */
  private async take(sample: Sample, state: SampleState): Promise<void> {
    try {
      await sample.take();
      state.takenAt = performance.now();
      state.isFailing = false;
    } catch (error) {
      if (!state.isFailing) this.log.warn('a sample of the metrics failed', { sample: sample.name, error });
      state.isFailing = true;
      clear(sample, state);
    }
  }

  private repeat(sample: Sample, state: SampleState): void {
    if (performance.now() - this.lastScrape < OBSERVED_MS) return this.enqueue(sample, state);
    state.isScheduled = false;
    // The next scrape may be hours later.
    clear(sample, state);
  }
}

function clear(sample: Sample, state: SampleState): void {
  for (const gauge of sample.gauges) clearGauge(gauge as Gauge);
  state.takenAt = undefined;
}

async function withinFirstWait(samples: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const isOver = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, FIRST_WAIT_MS).unref();
  });
  await Promise.race([samples, isOver]);
  clearTimeout(timer);
}
