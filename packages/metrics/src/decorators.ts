import { SetMetadata } from '@nestjs/common';
import type { Gauge } from 'prom-client';

export const MEASURED = Symbol('measured');
export const SAMPLED = Symbol('sampled');

/** What {@link Sampled} declares. */
export interface SampleDeclaration {
  readonly name: string;
  /** Cleared when the sample fails. */
  readonly gauges: readonly Pick<Gauge, 'reset' | 'remove'>[];
  readonly seconds: number;
}

/** Calls a provider's method before each scrape. It sets gauges from what this process knows, without waiting. */
export const Measured = (): MethodDecorator => SetMetadata(MEASURED, true);

/**
 * Calls a provider's method at most every `seconds` while this process is scraped. It sets its gauges from what it reads,
 * e.g. from the database, and needs time limits of its own: scrapes do not wait for it.
 */
export const Sampled = (declaration: SampleDeclaration): MethodDecorator => SetMetadata(SAMPLED, declaration);
