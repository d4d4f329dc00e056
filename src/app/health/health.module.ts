import { Module } from '@nestjs/common';
import { declareGauge, MetricsModule } from '@outreach/metrics';
import { Gauge } from 'prom-client';
import { BUILD } from '../version.js';
import { Health } from './health.js';

const sampleAge = declareGauge({
  name: 'outreach_sample_age_seconds',
  help: 'Age of the values that are sampled from the database or the queues, by sample; without a value while a sample fails',
  labelNames: ['sample'] as const,
});

const buildInfo = new Gauge({
  name: 'outreach_build_info',
  help: 'Always 1: the version and the commit that this process was built from, and its version of Node',
  labelNames: ['version', 'commit', 'node'] as const,
});
buildInfo.set({ version: BUILD.version, commit: BUILD.commit ?? 'unknown', node: process.versions.node }, 1);

/** The health and the metrics of a process, in every role. */
@Module({ imports: [MetricsModule.on(sampleAge)], providers: [Health], exports: [Health, MetricsModule] })
export class HealthModule {}
