import { Module } from '@nestjs/common';
import { DecoratedMethodsModule } from '../discovery/index.js';
import { Metrics } from './metrics.js';

/** Provides the {@link Metrics} that the providers of all modules measure and sample. */
@Module({ imports: [DecoratedMethodsModule], providers: [Metrics], exports: [Metrics] })
export class MetricsModule {}
