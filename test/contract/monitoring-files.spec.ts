import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { Metrics } from '@outreach/metrics';
import { eventually } from '../support/eventually.js';
import { ScrapedMetrics } from '../support/metrics.js';
import { type PromqlReferences, referencesOf } from '../support/promql.js';
import { useService } from '../support/service.js';

const ROOT = join(import.meta.dirname, '../..');
const MONITORING = join(ROOT, 'docker/monitoring');
const read = (path: string) => readFile(join(MONITORING, path), 'utf8');

/** Prometheus adds these to every series. */
const LABELS_OF_SCRAPES = ['job', 'instance'];
const JOB = 'outreach';

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}
interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const alertsOf = async (): Promise<readonly Alert[]> => {
  const { groups } = parse(await read('alerts.yaml')) as { groups: readonly { rules: readonly Alert[] }[] };
  return groups.flatMap(({ rules }) => rules);
};
const dashboard = async () =>
  JSON.parse(await read('grafana/outreach.json')) as {
    uid: string;
    panels: readonly Panel[];
    templating: { list: readonly { name: string; definition?: string }[] };
  };

describe('the alerts and the dashboard in docker/monitoring', () => {
  const service = useService();
  let scraped: readonly ScrapedMetrics[];

  beforeAll(async () => {
    const worker = await service.startWorker();
    await fetch(`${service.url}/v1/me`);
    scraped = await eventually(async () => {
      const ofWorker = new ScrapedMetrics(await worker.get(Metrics, { strict: false }).text());
      const both = [ofWorker, await ScrapedMetrics.of(service.url)];
      for (const metrics of both) expect(metrics.valuesOf('outreach_sample_age_seconds')).toHaveLength(8);
      return both;
    });
  });

  const valuesOf = (name: string) => scraped.flatMap((metrics) => metrics.valuesOf(name));
  /** Labels and their values, as one series has them. */
  const labelsOf = (name: string): string[] => [
    ...LABELS_OF_SCRAPES,
    ...new Set(valuesOf(name).flatMap(({ labels }) => Object.keys(labels))),
  ];
  const hasValue = (name: string, label: string, isWanted: (value: string) => boolean): boolean =>
    valuesOf(name).some(({ labels }) => isWanted(labels[label] ?? ''));

  /** What the expression names and the service does not have. */
  function missingIn(expression: string): string[] {
    const { metrics, grouping }: PromqlReferences = referencesOf(expression);
    expect([expression, metrics.length]).not.toEqual([expression, 0]);
    const missing: string[] = [];
    for (const { name, matchers } of metrics) {
      // Prometheus has it of each process that it scrapes.
      if (name !== 'up' && valuesOf(name).length === 0) missing.push(name);
      for (const { label, operator, value } of matchers) {
        if (!labelsOf(name).includes(label)) missing.push(`${name}{${label}}`);
        if (label === 'job') expect([JOB, '$job']).toContain(value);
        else if (operator === '=' && !hasValue(name, label, (each) => each === value))
          missing.push(`${name}{${value}}`);
        // Errors of the server do not happen here.
        else if (operator === '=~' && label !== 'status')
          missing.push(...value.split('|').filter((part) => !hasValue(name, label, (each) => each === part)));
      }
    }
    const known = metrics.flatMap(({ name }) => labelsOf(name));
    return [...missing, ...grouping.filter((label) => !known.includes(label))];
  }

  it('name only metrics and labels that API and worker processes have', async () => {
    const alerts = await alertsOf();
    const { panels, templating } = await dashboard();
    const expressions = [
      ...alerts.map(({ expr }) => expr),
      ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
      ...templating.list.flatMap(({ definition }) => definition?.replace(/^label_values\((.*), job\)$/, '$1') ?? []),
    ];
    expect(expressions.length).toBeGreaterThan(40);
    expect(expressions.flatMap((expression) => missingIn(expression))).toEqual([]);
  });

  it('would be found if they named something else', () => {
    expect(missingIn('sum(rate(outreach_mails_total{outcome="sent"}[5m]))')).toEqual([
      'outreach_mails_total',
      'outreach_mails_total{outcome}',
      'outreach_mails_total{sent}',
    ]);
    expect(missingIn('sum by (queue) (outreach_messages_total{outcome=~"sent|gone"})')).toEqual(['gone', 'queue']);
    expect(missingIn('outreach_queue_jobs{state="waiting"} unless on (instance) up')).toEqual([]);
  });

  it('have a severity, a summary and what to do for each alert, and docs/monitoring.md lists each', async () => {
    const alerts = await alertsOf();
    const page = await readFile(join(ROOT, 'docs/monitoring.md'), 'utf8');
    for (const { alert, labels, annotations } of alerts) {
      expect(['critical', 'warning', 'info']).toContain(labels.severity);
      expect([alert, annotations.summary.length > 20, annotations.description.length > 80]).toEqual([
        alert,
        true,
        true,
      ]);
      expect(page).toContain(`\`${alert}\``);
    }
    const documented = [...page.matchAll(/`(Outreach[A-Z]\w+)`/g)].map(([, name]) => name);
    expect(new Set(documented)).toEqual(new Set(alerts.map(({ alert }) => alert)));
  });

  it('have labels in their texts and legends that the results have', async () => {
    const { panels } = await dashboard();
    const legends = panels.flatMap(({ targets = [] }) => targets);
    for (const { expr, legendFormat } of legends) {
      const { metrics, grouping } = referencesOf(expr);
      const isAggregated = /^(sum|max|min|histogram_quantile)\b/.test(expr);
      const result = isAggregated ? grouping : metrics.flatMap(({ name }) => labelsOf(name));
      for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
        expect([expr, result]).toEqual([expr, expect.arrayContaining([label])]);
    }
    for (const { expr, annotations } of await alertsOf()) {
      const { metrics, grouping } = referencesOf(expr);
      const known = [...grouping, ...metrics.flatMap(({ name }) => labelsOf(name))];
      for (const [, label = ''] of annotations.summary.matchAll(/\$labels\.(\w+)/g)) expect(known).toContain(label);
    }
  });

  it('have panels with distinct IDs that do not overlap, and files that refer to each other', async () => {
    const { panels, uid } = await dashboard();
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    const config = parse(await read('prometheus.yaml')) as {
      rule_files: string[];
      scrape_configs: { job_name: string; dns_sd_configs: { names: string[]; port: number }[] }[];
    };
    expect(config.rule_files).toEqual(['alerts.yaml']);
    expect(config.scrape_configs.map(({ job_name: name }) => name)).toEqual([JOB]);
    const compose = parse(await readFile(join(ROOT, 'docker/compose.yaml'), 'utf8'), { merge: true }) as {
      services: Record<string, { volumes?: string[]; networks: unknown; profiles?: string[] }>;
    };
    const image = await readFile(join(ROOT, 'docker/Dockerfile'), 'utf8');
    for (const { dns_sd_configs: discovered } of config.scrape_configs)
      for (const { names, port } of discovered) {
        expect(names.filter((name) => !compose.services[name])).toEqual([]);
        expect(image).toContain(`METRICS_PORT=${port}`);
      }
    const mounted = ['prometheus', 'grafana'].flatMap((name) => compose.services[name]?.volumes ?? []);
    const files = mounted.flatMap((volume) => /^\.\/monitoring\/([^:]+):/.exec(volume)?.[1] ?? []);
    expect(files.sort()).toEqual([
      'alerts.yaml',
      'grafana/dashboards.yaml',
      'grafana/datasource.yaml',
      'grafana/outreach.json',
      'prometheus.yaml',
    ]);
    for (const file of files) expect((await read(file)).length).toBeGreaterThan(50);
    expect(uid).toBe('outreach');
  });

  it('have no default password: Grafana ends with a line that says what to set', async () => {
    const { services } = parse(await readFile(join(ROOT, 'docker/compose.yaml'), 'utf8'), { merge: true }) as {
      services: { grafana: { entrypoint: string[]; environment: Record<string, string> } };
    };
    const { entrypoint, environment } = services.grafana;
    expect(environment.GF_SECURITY_ADMIN_PASSWORD).toBe('${GRAFANA_PASSWORD:-}');
    const [shell = '', ...options] = entrypoint.map((text) =>
      text.replaceAll('$$', '$').replace('/run.sh', 'echo started'),
    );
    const start = (password: string) =>
      spawnSync(shell, options, { env: { GF_SECURITY_ADMIN_PASSWORD: password }, encoding: 'utf8' });
    expect(start('')).toMatchObject({ status: 1, stdout: '', stderr: 'Set GRAFANA_PASSWORD in docker/.env.\n' });
    expect(start('a password')).toMatchObject({ status: 0, stdout: 'started\n', stderr: '' });
  });
});
