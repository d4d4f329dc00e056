import { Gauge, type GaugeConfiguration } from 'prom-client';

/** Declares a gauge that has no value until one is known, instead of 0. */
export function declareGauge<Label extends string = never>(configuration: GaugeConfiguration<Label>): Gauge<Label> {
  const gauge = new Gauge(configuration);
  clearGauge(gauge);
  return gauge;
}

/** Removes all values. `reset` would set a gauge without labels to 0. */
export function clearGauge<Label extends string>(gauge: Gauge<Label>): void {
  gauge.reset();
  const { labelNames } = gauge as unknown as { readonly labelNames: readonly string[] };
  if (labelNames.length === 0) gauge.remove();
}
