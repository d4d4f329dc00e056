// The table of metrics in docs/monitoring.md.
import { register } from 'prom-client';

const PREFIX = 'outreach_';

/** The metrics that the loaded modules declare, without those of Node, as a Markdown table. */
export function metricsTable() {
  const rows = register
    .getMetricsAsArray()
    .filter(({ name }) => name.startsWith(PREFIX))
    .map((metric) => {
      const labels = metric.labelNames.map((label) => `\`${label}\``).join(', ');
      return `| \`${metric.name}\` | ${metric.type} | ${labels} | ${metric.help} |`;
    });
  return ['| Metric | Type | Labels | Meaning |', '| --- | --- | --- | --- |', ...rows.sort()].join('\n');
}
