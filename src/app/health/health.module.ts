import { Module } from '@nestjs/common';
import { MetricsModule } from '../../platform/metrics/index.js';
import { Health } from './health.js';

/** The health and the metrics of a process, in every role. */
@Module({ imports: [MetricsModule], providers: [Health], exports: [Health, MetricsModule] })
export class HealthModule {}
