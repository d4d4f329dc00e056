// What the benchmark of segments prints.
const KINDS = ['count', 'page', 'preview'];
/** The bars: how much longer than by hand, and how long at all. */
const MOST_RATIO = 1.3;
const MOST_MS = 150;

const ratio = ({ ours, limit }, kind) => ours[kind] / limit[kind];
const format = (value) => (value >= 100 ? Math.round(value).toString() : value.toFixed(1));
const log = (line) => console.log(line);

export function printTable(segments) {
  log(
    `${''.padEnd(38)}  matches |${KINDS.map((kind) => `${kind}: ours  best ratio`.padStart(24)).join(' |')} | unchanged`,
  );
  for (const segment of segments) {
    const { name, matches, ours, limit, unchanged } = segment;
    const figures = KINDS.map((kind) =>
      [
        format(ours[kind]).padStart(11),
        format(limit[kind]).padStart(6),
        ratio(segment, kind).toFixed(2).padStart(5),
      ].join(' '),
    );
    const same = KINDS.map((kind) => format(unchanged[kind]).padStart(5)).join('');
    log(`${name.padEnd(38)} ${String(matches).padStart(8)} |${figures.join(' |')} |${same}`);
  }
}

export function printSummary(segments) {
  const geometricMean = (values) => Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
  for (const kind of KINDS) {
    const ratios = segments.map((segment) => ratio(segment, kind));
    const under = ratios.filter((value) => value < MOST_RATIO).length;
    const further = segments.filter(({ ours, limit }) => ours[kind] < MOST_RATIO * limit[kind] + 5).length;
    log(
      `${kind}: geometric mean of the ratios ${geometricMean(ratios).toFixed(2)}; under ${MOST_RATIO} in ${under} of ` +
        `${segments.length}, with 5 ms more allowed in ${further}`,
    );
  }
  const slow = segments.filter(({ ours }) => ours.preview > MOST_MS);
  const [slowest] = [...segments].sort((one, other) => other.ours.preview - one.ours.preview);
  log(`previews over ${MOST_MS} ms: ${slow.length} of ${segments.length} (${slow.map(({ name }) => name).join('; ')})`);
  log(
    `slowest preview: ${format(slowest.ours.preview)} ms, ${slowest.name} (by hand ${format(slowest.limit.preview)} ms)`,
  );
}
