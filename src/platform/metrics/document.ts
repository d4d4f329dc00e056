import { register } from 'prom-client';

const PREFIX = 'outreach_';

/** The metrics that the loaded modules declare, without those of Node, as a Markdown table. */
export function metricsTable(): string {
  const rows = register
    .getMetricsAsArray()
    .filter(({ name }) => name.startsWith(PREFIX))
    .map((metric) => {
      const { labelNames } = metric as unknown as { readonly labelNames: readonly string[] };
      const labels = labelNames.map((label) => `\`${label}\``).join(', ');
      return `| \`${metric.name}\` | ${String(metric.type)} | ${labels} | ${metric.help} |`;
    });
  return ['| Metric | Type | Labels | Meaning |', '| --- | --- | --- | --- |', ...rows.sort()].join('\n');
}
