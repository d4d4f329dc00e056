import { type DynamicModule, Module } from '@nestjs/common';
import { DecoratedMethodsModule } from '@outreach/decorated-methods';
import type { Gauge } from 'prom-client';
import { Metrics, SAMPLE_AGE } from './metrics.js';

/** Provides the {@link Metrics} that the providers of all modules measure and sample. */
@Module({})
export class MetricsModule {
  /** @param sampleAge shows the age of the values of each sample, which has none while it fails */
  static on(sampleAge: Gauge<'sample'>): DynamicModule {
    return {
      module: MetricsModule,
      imports: [DecoratedMethodsModule],
      providers: [Metrics, { provide: SAMPLE_AGE, useValue: sampleAge }],
      exports: [Metrics],
    };
  }
}
