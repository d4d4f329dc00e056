/** A metric that an expression selects, and the labels that it compares. */
export interface SelectedMetric {
  readonly name: string;
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[];
}

/** The parts of a PromQL expression that depend on what is scraped. */
export interface PromqlReferences {
  readonly metrics: readonly SelectedMetric[];
  /** Labels by which it groups or joins. */
  readonly grouping: readonly string[];
}

const GROUPING = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;
const KEYWORDS = [
  'and',
  'or',
  'unless',
  'offset',
  'bool',
  'by',
  'on',
  'without',
  'ignoring',
  'group_left',
  'group_right',
];
/** A name that is not called as a function, with its matchers. */
const SELECTOR = /(?<![\w:.])([a-zA-Z_:][\w:]*)(?![\w:])(?!\s*\()\s*(?:\{([^}]*)\})?/g;
const MATCHER = /(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g;

/** Finds the metrics and labels of an expression, which is known to be valid. Variables of Grafana are no metrics. */
export function referencesOf(expression: string): PromqlReferences {
  const grouping: string[] = [];
  const text = expression
    .replaceAll(GROUPING, (_, labels: string) => {
      grouping.push(...labels.split(',').map((label) => label.trim()));
      return ' ';
    })
    .replaceAll(/\[[^\]]*\]/g, ' ');
  const metrics = [...text.matchAll(SELECTOR)]
    .filter(([, name = '']) => !KEYWORDS.includes(name) && !/^(sum|min|max|avg|count)$/.test(name))
    .map(([, name = '', matchers = '']) => ({
      name,
      matchers: [...matchers.matchAll(MATCHER)].map(([, label = '', operator = '', value = '']) => ({
        label,
        operator,
        value,
      })),
    }));
  return { metrics, grouping: grouping.filter(Boolean) };
}
