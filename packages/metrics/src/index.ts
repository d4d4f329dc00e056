export { declareGauge } from './declared-gauge.js';
export { Measured, Sampled } from './decorators.js';
export { Metrics, SAMPLE_AGE } from './metrics.js';
export { MetricsModule } from './metrics.module.js';
