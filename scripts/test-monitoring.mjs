// Checks the alerts, the dashboard and the configuration of docker/monitoring with Prometheus' own tool. Requires promtool on
// the PATH.
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The expressions of the dashboard as rules, because promtool checks those. */
async function rulesOfDashboard() {
  const { panels } = JSON.parse(await readFile('docker/monitoring/grafana/outreach.json', 'utf8'));
  const rules = panels.flatMap(({ id, targets = [] }) =>
    targets.map(({ expr, refId }) => ({
      record: 'dashboard',
      labels: { panel: `${id} ${refId}` },
      expr: expr.replaceAll('$__rate_interval', '1m').replaceAll('$job', 'outreach'),
    })),
  );
  return JSON.stringify({ groups: [{ name: 'dashboard', rules }] });
}

function promtool(...args) {
  const { status } = spawnSync('promtool', args, { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}

if (spawnSync('promtool', ['--version']).error) {
  console.error('This command requires promtool, which is part of Prometheus (Debian: the package prometheus).');
  process.exit(1);
}
const directory = await mkdtemp(join(tmpdir(), 'outreach-monitoring-'));
try {
  const dashboard = join(directory, 'dashboard.yaml');
  await writeFile(dashboard, await rulesOfDashboard());
  promtool('check', 'rules', dashboard);
  promtool('check', 'config', 'docker/monitoring/prometheus.yaml');
  promtool('test', 'rules', 'test/monitoring/alerts.test.yaml');
} finally {
  await rm(directory, { recursive: true });
}
