export { declareGauge } from './declared-gauge.js';
export { Measured, Sampled } from './decorators.js';
export { Metrics } from './metrics.js';
export { MetricsModule } from './metrics.module.js';
