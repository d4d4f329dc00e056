import { Module } from '@nestjs/common';
import { declareGauge, MetricsModule } from '@outreach/metrics';
import { Health } from './health.js';

const sampleAge = declareGauge({
  name: 'outreach_sample_age_seconds',
  help: 'Age of the values that are sampled from the database or the queues, by sample; without a value while a sample fails',
  labelNames: ['sample'] as const,
});

/** The health and the metrics of a process, in every role. */
@Module({ imports: [MetricsModule.on(sampleAge)], providers: [Health], exports: [Health, MetricsModule] })
export class HealthModule {}
