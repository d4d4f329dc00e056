import {
  type DescribedComponents,
  type DescribedOperation,
  type DescribedParameter,
  OperationReader,
} from '@outreach/openapi-samples';
import type { ReferenceDocument } from './reference-document.js';
import { codeSample } from './code-samples.js';

const CLIENT_INSTALLATION = `\`\`\`sh
# In a clone of the service:
cd clients/typescript && npm ci && npm pack
# In your project:
npm install ./outreach-client-*.tgz
\`\`\``;

/** Relative to the page. */
const OTHER_FORMS =
  'Programs read this reference as [OpenAPI document](openapi.json), language models its [overview](llms.txt).';

/**
 * Returns the API reference as its page shows it: with a sample in TypeScript for each operation, without those of `PATCH`, and
 * so that a request that is tried from the page has only the parameters that it needs.
 * @param url the service's URL, without the version
 * @param ofService the paths that are not those of extension modules
 */
export function pageDocument(
  document: ReferenceDocument,
  url: string,
  ofService: ReadonlySet<string>,
): ReferenceDocument {
  const { parameters, ...components } = document.components as DescribedComponents;
  const turnedOff = (parameter: DescribedParameter) => optionalIsOff(parameter, components.schemas);
  const shown = (path: string, method: string, operation: ShownOperation): ShownOperation => ({
    ...operation,
    parameters: operation.parameters.map((one) => ('name' in one ? turnedOff(one) : one)),
    'x-codeSamples': [codeSample(new OperationReader(document, method, path, operation), url, ofService.has(path))],
  });
  const paths = mapValues(document.paths as PathItems, (operations, path) =>
    mapValues(withoutPatch(operations), (operation, method) => shown(path, method, operation)),
  );
  return {
    ...document,
    info: pageInfo(document.info),
    paths,
    components: { ...components, parameters: mapValues(parameters, turnedOff) },
  };
}

type ShownOperation = DescribedOperation & ReferenceDocument['paths'][string][string];
type PathItems = Readonly<Record<string, Readonly<Record<string, ShownOperation>>>>;

/** `PATCH` does what `PUT` does: people see one entry. */
function withoutPatch({ patch, ...others }: PathItems[string]): PathItems[string] {
  const { put } = others;
  if (!patch) return others;
  if (!put) return { ...others, patch };
  return { ...others, put: { ...put, description: `\`PATCH\` does the same. ${String(put.description)}` } };
}

function pageInfo(info: ReferenceDocument['info']): ReferenceDocument['info'] {
  const [summary = '', ...sections] = String(info.description).split(/\n(?=## )/);
  const description = [`${summary.trim()}\n\n${OTHER_FORMS}\n`, ...sections].join('\n');
  return {
    ...info,
    description,
    'x-scalar-sdk-installation': [{ lang: 'TypeScript', description: CLIENT_INSTALLATION }],
  };
}

/**
 * Otherwise the renderer would send the examples of all filters of a list at once, and an `If-Match` that is out of date. It
 * takes the first value of an enum as its example.
 */
function optionalIsOff(parameter: DescribedParameter, schemas: DescribedComponents['schemas']): DescribedParameter {
  const { example, ...others } = parameter;
  const { $ref, enum: values } = parameter.schema;
  const [first] = values ?? schemas[$ref?.split('/').at(-1) ?? '']?.enum ?? [];
  const value = example ?? first;
  if (parameter.required || value === undefined) return parameter;
  return { ...others, examples: { default: { value, 'x-disabled': true } } };
}

const mapValues = <From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From, name: string) => To,
): Record<string, To> => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
