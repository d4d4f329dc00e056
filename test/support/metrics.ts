/** One value of a metric. */
export interface MetricValue {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What Prometheus reads from `/metrics`, by the names of the time series (a histogram has several). */
export class ScrapedMetrics {
  private readonly series = new Map<string, MetricValue[]>();
  /** The declared metrics and their types. */
  readonly types = new Map<string, string>();

  constructor(text: string) {
    for (const line of text.split('\n').filter(Boolean)) this.read(line);
  }

  /** @throws Error if the response is not 200 */
  static async of(url: string): Promise<ScrapedMetrics> {
    const response = await fetch(`${url}/metrics`);
    if (response.status !== 200) throw new Error(`${url}/metrics returned ${response.status}`);
    return new ScrapedMetrics(await response.text());
  }

  get names(): string[] {
    return [...this.series.keys()];
  }

  valuesOf(name: string): readonly MetricValue[] {
    return this.series.get(name) ?? [];
  }

  /** The value with exactly these labels. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const wanted = JSON.stringify(Object.entries(labels).sort());
    return this.valuesOf(name).find((each) => JSON.stringify(Object.entries(each.labels).sort()) === wanted)?.value;
  }

  private read(line: string): void {
    const [, declared, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (declared && type) this.types.set(declared, type);
    if (line.startsWith('#')) return;
    const [, name = '', labels = '', value = ''] = /^([\w:]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (!name) throw new Error(`Not a line of metrics: ${line}`);
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', text = '']) => [key, text]);
    const values = this.series.get(name) ?? [];
    values.push({ labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) });
    this.series.set(name, values);
  }
}
