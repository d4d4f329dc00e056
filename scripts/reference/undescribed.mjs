/**
 * @param {import('@outreach/http-api/openapi').OpenApiDocument} document
 * @returns {string[]} the properties, parameters and operations that have no description
 */
export function undescribed({ paths, components, tags }) {
  const properties = Object.entries(components.schemas).flatMap(([name, { properties: fields = {} }]) =>
    Object.entries(fields).flatMap(([field, { description }]) => (description ? [] : [`${name}.${field}`])),
  );
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const parameters = operations.flatMap(({ operationId, parameters: declared }) =>
    declared.filter((each) => !each.$ref && !each.description).map(({ name }) => `${operationId}?${name}`),
  );
  const silent = operations.filter(({ description }) => !description.includes('\n\n'));
  const sections = tags.filter(({ description }) => !description).map(({ name }) => `the section ${name}`);
  return [...properties, ...parameters, ...silent.map(({ operationId }) => operationId), ...sections];
}
