import type { Route } from '../routes/index.js';
import type { Components } from './components.js';
import { type InputField, inputFields } from './input-schema.js';
import type { PathTemplate } from './path-templates.js';
import type { ReferenceTexts } from './reference-texts.js';
import type { RouteInputs } from './route-inputs.js';
import { humanize, singular } from './summary.js';

/** Returns the parameters in the path of a route. */
export const pathParameters = (
  route: Route,
  { names }: PathTemplate,
  { textParameters }: RouteInputs,
  { parameters, examples }: ReferenceTexts,
): object[] =>
  [...names].map(([name, parameter]) => {
    const example = examples.parameters[textParameters.includes(name) ? name : 'id'];
    return {
      name: parameter,
      in: 'path',
      required: true,
      description: parameters[name] ?? `The ID of the ${noun(route, name)}.`,
      schema: textParameters.includes(name)
        ? { type: 'string' }
        : { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      ...(example === undefined ? {} : { example }),
    };
  });

/** `/v1/email-accounts/:id` → `email account`; `:contact` → `contact`. */
function noun({ path }: Route, name: string): string {
  if (name !== 'id') return name;
  const segments = path.split('/');
  return singular(humanize(segments[segments.indexOf(':id') - 1] ?? 'record'));
}

/** Returns the parameters in the query string of a route. */
export const queryParameters = ({ query }: RouteInputs, components: Components): object[] =>
  query ? inputFields(query, components.input).map((field) => queryParameter(query.name, field, components)) : [];

function queryParameter(owner: string, { name, required, schema }: InputField, components: Components): object {
  const { inputs, parameters, examples } = components.texts;
  const { description: _note, ...rest } = schema;
  const description = parameters[`${owner}.${name}`] ?? inputs[owner]?.[name] ?? parameters[name];
  const example = examples.parameters[`${owner}.${name}`] ?? examples.parameters[name];
  return {
    name,
    in: 'query',
    ...(required ? { required } : {}),
    ...(description ? { description } : {}),
    schema: components.resolve(rest.type === 'boolean' ? { type: 'integer', enum: [1, 0] } : rest),
    ...(example === undefined ? {} : { example }),
  };
}
