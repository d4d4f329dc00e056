import { Injectable } from '@nestjs/common';
import { declareGauge, Measured } from '@outreach/metrics';
import { Database } from './database.js';

const connections = declareGauge({
  name: 'outreach_database_pool',
  help:
    'Connections of this process to PostgreSQL: `used`, `idle` and `free` (not open); their sum is the size of the pool. ' +
    '`waiting` is how many statements and transactions wait for one',
  labelNames: ['state'] as const,
});

/** Measures the connections of this process. */
@Injectable()
export class PoolMetrics {
  constructor(private readonly database: Database) {}

  @Measured()
  measure(): void {
    for (const [state, count] of Object.entries<number>({ ...this.database.connectionCounts }))
      connections.set({ state }, count);
  }
}
