import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig } from '../../src/app/settings.js';
import { type Manifest, manifestErrors } from '../support/kubernetes.js';

const ROOT = join(import.meta.dirname, '../..');
const CHART = join(ROOT, 'deploy/helm/outreach');
const SECRETS: Record<string, string> = {
  DATABASE_URL: 'postgres://outreach:secret@postgres:5432/outreach',
  QUEUE_DATABASE_URL: 'postgres://outreach:secret@postgres:5433/outreach',
  REDIS_URL: 'redis://redis:6379',
  ENCRYPTION_KEY: 'a key that only tests use',
};
const CONTROLLERS = ['Deployment', 'Job'];

const helm = (...args: string[]) => spawnSync('helm', args, { encoding: 'utf8' });
const valuesFile = (name: string): string => join(CHART, 'ci', `${name}-values.yaml`);

/** Renders the chart with one of the files in its folder `ci`. */
function render(name: string, ...args: string[]): Manifest[] {
  const { status, stdout, stderr } = helm('template', 'mail', CHART, '--values', valuesFile(name), ...args);
  expect([status, stderr]).toEqual([0, '']);
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

const ofKind = (manifests: readonly Manifest[], kind: string): Manifest[] =>
  manifests.filter((manifest) => manifest.kind === kind);
const templateOf = ({ spec }: Manifest) => spec.template;
const isSelected = (labels: Record<string, string>, selector: Record<string, string>): boolean =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

/** @returns what Helm says of a value that it refuses */
function refusal(...values: string[]): string {
  const set = values.flatMap((value) => ['--set', value]);
  const { status, stderr } = helm('template', 'mail', CHART, '--values', valuesFile('minimal'), ...set);
  expect(status).toBe(1);
  return stderr;
}

describe.each(['minimal', 'everything'])('the Helm chart with %s values', (name) => {
  let manifests: Manifest[];
  let templates: any[];
  beforeAll(() => {
    manifests = render(name);
    templates = manifests.filter(({ kind }) => CONTROLLERS.includes(kind)).map(templateOf);
  });

  it('has no fault that Helm finds', () => {
    const { status, stdout } = helm('lint', '--strict', CHART, '--values', valuesFile(name));
    expect([status, stdout]).toEqual([0, expect.not.stringMatching(/WARNING|ERROR/)]);
  });

  it('has objects that the schemas of Kubernetes allow', () => {
    expect(manifests.length).toBeGreaterThan(5);
    expect(manifestErrors(manifests)).toEqual([]);
  });

  it('has Pods without rights, without a file system to write to, and without a token of Kubernetes', () => {
    expect(templates).toHaveLength(3);
    for (const { spec } of templates) {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      });
      for (const { securityContext } of spec.containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    }
  });

  it('gives each process settings that it accepts, with the secrets in files that the Pod mounts', () => {
    const roles = templates.map(({ spec }) => {
      const [{ env, volumeMounts }] = spec.containers;
      const { mountPath } = volumeMounts.find((mount: { name: string }) => mount.name === 'secret');
      const { items } = spec.volumes.find((volume: { name: string }) => volume.name === 'secret').secret;
      const files = items.map(({ path }: { path: string }) => join(mountPath, path));
      const settings = env.map((each: { name: string; value: string }) => {
        if (!files.includes(each.value)) return [each.name, each.value];
        const secret = each.name.replace(/_FILE$/, '');
        expect(each.value).toBe(join(mountPath, secret));
        return [secret, SECRETS[secret]];
      });
      return loadConfig({ ...Object.fromEntries(settings), METRICS_PORT: '9464' }).role;
    });
    // The migration has the default.
    expect(roles.sort()).toEqual(['all', 'api', 'worker']);
  });

  it('has probes that ask ports of their container, and restarts a worker only for its own work', () => {
    for (const { spec } of ofKind(manifests, 'Deployment').map(templateOf)) {
      const [{ name: role, ports, startupProbe, readinessProbe, livenessProbe }] = spec.containers;
      for (const probe of [startupProbe, readinessProbe, livenessProbe])
        expect(ports).toContainEqual({ name: probe.httpGet.port, containerPort: 9464 });
      expect([role, readinessProbe.httpGet.path, livenessProbe.httpGet.path]).toEqual([
        role,
        '/health/ready',
        role === 'worker' ? '/health/work' : '/health/live',
      ]);
    }
  });

  it('has selectors that select the Pods of their role', () => {
    for (const { spec, metadata } of ofKind(manifests, 'Deployment'))
      expect([metadata.name, isSelected(spec.template.metadata.labels, spec.selector.matchLabels)]).toEqual([
        metadata.name,
        true,
      ]);
    const selected = (selector: Record<string, string>): string[] =>
      ofKind(manifests, 'Deployment')
        .filter(({ spec }) => isSelected(spec.template.metadata.labels, selector))
        .map(({ spec }) => spec.template.spec.containers[0].name);
    expect(ofKind(manifests, 'Service').map(({ spec }) => selected(spec.selector))).toEqual([
      ['api'],
      ['api', 'worker'],
    ]);
    const budgets = ofKind(manifests, 'PodDisruptionBudget');
    expect(budgets.map(({ spec }) => selected(spec.selector.matchLabels))).toEqual([['api'], ['worker']]);
    for (const { spec } of ofKind(manifests, 'NetworkPolicy'))
      for (const { metadata } of templates)
        expect(isSelected(metadata.labels, spec.podSelector.matchLabels)).toBe(true);
  });

  it('migrates in a Job before the other objects are replaced', () => {
    expect(ofKind(manifests, 'Job')).toEqual([
      expect.objectContaining({
        metadata: expect.objectContaining({
          annotations: expect.objectContaining({ 'helm.sh/hook': 'pre-install,pre-upgrade' }),
        }),
      }),
    ]);
  });
});

describe('the Helm chart', () => {
  it('would be found to be wrong if a field or a value was', () => {
    const [deployment] = ofKind(render('minimal'), 'Deployment');
    const { metadata, spec } = deployment ?? { metadata: { name: 'none', labels: {} }, spec: {} };
    const other = (changed: object): Manifest => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: changed,
    });
    expect(manifestErrors([other(spec)])).toEqual([]);
    expect(manifestErrors([other({ ...spec, replica: 2 })])).toEqual([expect.stringContaining('replica')]);
    expect(manifestErrors([other({ ...spec, replicas: 'two' })])).not.toEqual([]);
    const strategy = { type: 'Rolling' };
    expect(manifestErrors([other({ ...spec, strategy })])).not.toEqual([]);
  });

  it('has everything that can be switched on, and nothing of it by default', () => {
    const kinds = (name: string) => new Set(render(name).map(({ kind }) => kind));
    const always = ['Deployment', 'Job', 'NetworkPolicy', 'PodDisruptionBudget', 'Service'];
    const optional = ['HorizontalPodAutoscaler', 'Ingress', 'PrometheusRule', 'ServiceMonitor'];
    expect([...kinds('minimal')].sort()).toEqual(always);
    expect([...kinds('everything')].sort()).toEqual([...always, ...optional].sort());
  });

  it('scales workers by how long the oldest due message has waited, which the alerts name, too', () => {
    const [api, worker] = ofKind(render('everything'), 'HorizontalPodAutoscaler');
    expect(api?.spec.metrics).toEqual([expect.objectContaining({ type: 'Resource' })]);
    expect(worker?.spec.metrics).toEqual([
      {
        type: 'External',
        external: {
          metric: { name: 'outreach_messages_oldest_due_seconds', selector: { matchLabels: { namespace: 'mail' } } },
          target: { type: 'Value', value: '60' },
        },
      },
    ]);
    // The number of its Pods is not that of the values.
    for (const { spec } of ofKind(render('everything'), 'Deployment')) expect(spec).not.toHaveProperty('replicas');
  });

  it('has the alerts of docker/monitoring, and gives the processes the job that they name', () => {
    const manifests = render('everything');
    const alerts = parse(readFileSync(join(ROOT, 'docker/monitoring/alerts.yaml'), 'utf8'));
    expect(ofKind(manifests, 'PrometheusRule').map(({ spec }) => spec)).toEqual([alerts]);
    const [monitor] = ofKind(manifests, 'ServiceMonitor');
    expect(monitor?.spec.endpoints[0].relabelings).toEqual([{ targetLabel: 'job', replacement: 'outreach' }]);
    const services = ofKind(manifests, 'Service').filter(({ metadata }) =>
      isSelected(metadata.labels, monitor?.spec.selector.matchLabels),
    );
    expect(services.map(({ spec }) => spec.ports[0].name)).toEqual([monitor?.spec.endpoints[0].port]);
  });

  it('has an Ingress for the host of PUBLIC_URL, or for those that are listed', () => {
    const hosts = (...args: string[]) =>
      ofKind(render('everything', ...args), 'Ingress').map(({ spec }) =>
        spec.rules.map(({ host }: { host: string }) => host),
      );
    expect(hosts()).toEqual([['outreach.example.com']]);
    expect(hosts('--set', 'ingress.hosts={a.example,b.example}')).toEqual([['a.example', 'b.example']]);
  });

  it('gives a Pod of the API its delay beside the time that a process needs to stop', () => {
    const [{ spec } = { spec: {} }] = ofKind(render('minimal', '--set', 'api.shutdownDelaySeconds=20'), 'Deployment');
    expect(spec.template.spec.terminationGracePeriodSeconds).toBe(55);
    expect(spec.template.spec.containers[0].env).toContainEqual({ name: 'SHUTDOWN_DELAY_SECONDS', value: '20' });
  });

  it.each<[string, string[], string]>([
    ['a missing Secret', ['existingSecret='], 'existingSecret: the name of a Secret'],
    ['a missing PUBLIC_URL', ['settings.PUBLIC_URL='], 'settings.PUBLIC_URL: the address'],
    ['a value that does not exist', ['api.replica=2'], "'replica'"],
    ['a misspelled setting', ['settings.TRUST_PROXIES=10.0.0.0/8'], "'TRUST_PROXIES'"],
    ['a secret among the settings', ['settings.ENCRYPTION_KEY=abc'], "'ENCRYPTION_KEY'"],
    ['a Secret without the key', ['secretKeys={DATABASE_URL}'], '/secretKeys'],
  ])('refuses %s', (_, values, text) => {
    expect(refusal(...values)).toContain(text);
  });

  it('names commands in its notes that the program has', () => {
    const { stdout } = helm('install', 'mail', CHART, '--values', valuesFile('minimal'), '--dry-run=client');
    const commands = [...stdout.matchAll(/-- outreach ([a-z]+(?: [a-z]+)?)/g)].map(([, command = '']) => command);
    expect(commands).toHaveLength(3);
    for (const command of commands) {
      const args = [join(ROOT, 'bin/outreach.js'), ...command.split(' '), '--help'];
      const { stdout: help } = spawnSync(process.execPath, args, { encoding: 'utf8' });
      expect(help).toContain(`Usage: outreach ${command} `);
    }
  });
});
