import { readFileSync } from 'node:fs';
import {
  type DescribedValue,
  operations,
  parameters,
  properties,
  reference,
  requestBodies,
  resolved,
  responseBodies,
  schemaErrors,
} from '../support/reference.js';

/** At least three words. A doc comment next to the declaration is the description; see ADR 41. */
const isSentence = (text = ''): boolean => text.trim().split(/\s+/).length >= 3;

const placesOf = (values: readonly DescribedValue[]): string[] => values.map(({ place }) => place);

/** Whether the schema itself shows what a value looks like. */
const isObvious = (schema: any): boolean =>
  Boolean(schema.$ref ?? schema.anyOf ?? schema.items?.$ref ?? schema.enum ?? schema.const) ||
  [schema.type].flat().includes('boolean');

/** Names of standard types in the languages of generated clients. */
const STANDARD_TYPES = [
  'Error',
  'List',
  'Map',
  'Set',
  'Event',
  'Request',
  'Response',
  'Date',
  'Object',
  'Record',
  'Type',
];

describe('the text of the API reference', () => {
  it('describes every property, parameter, enum and section', () => {
    expect(properties.length).toBeGreaterThan(500);
    expect(parameters.length).toBeGreaterThan(300);
    const undescribed = [...properties, ...parameters].filter(({ description }) => !isSentence(description));
    expect(placesOf(undescribed)).toEqual([]);
    const schemas = Object.entries<any>(reference.components.schemas);
    const enums = schemas.filter(([, schema]) => schema.enum);
    expect(enums.length).toBeGreaterThan(15);
    expect(enums.filter(([, { description }]) => !isSentence(description)).map(([name]) => name)).toEqual([]);
    expect(reference.tags.filter(({ description }: any) => !isSentence(description))).toEqual([]);
  });

  it('says of every operation what it does, beside the permission that it needs', () => {
    const short = operations.filter(({ description }) => !isSentence(description.split('\n\n').slice(0, -1).join(' ')));
    expect(short.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('says what each value of a status, type or reason means', () => {
    const { schemas } = reference.components;
    const described = ['ContactStatus', 'CampaignStatus', 'EnrollmentStatus', 'MessageStatus', 'UnknownPolicy'];
    for (const name of [...described, 'Operator', 'Connector', 'MatchType', 'EmailAccountType', 'CustomFieldType']) {
      for (const value of schemas[name].enum) expect(schemas[name].description).toContain(`- \`${value}\`: `);
    }
  });

  it('has an example of every property, body and parameter whose form is not obvious', () => {
    const values = [...properties, ...parameters.filter(({ place }) => !/\?(Idempotency-Key|X-)/.test(place))];
    const unclear = values.filter(({ schema }) => !isObvious(resolved(schema)) && !isObvious(schema));
    const isData = ({ place }: DescribedValue): boolean => !/ image\/\w+$/.test(place);
    const all = [...unclear, ...[...requestBodies, ...responseBodies].filter(isData)];
    expect(placesOf(all.filter(({ examples }) => examples.length === 0))).toEqual([]);
  });

  it('has only examples that are valid by their schemas', () => {
    const invalid = [...properties, ...parameters, ...requestBodies, ...responseBodies].flatMap(
      ({ place, schema, examples }) =>
        examples.map((example) => [place, schemaErrors(schema, example)]).filter(([, error]) => error),
    );
    expect(invalid).toEqual([]);
    expect(schemaErrors({ $ref: '#/components/schemas/Contact' }, {})).toBeDefined();
  });

  it('has names for client libraries: verbs with nouns, and schemas that are no standard types', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z0-9]*)+$/.test(id))).toEqual([]);
    const listed = readFileSync(new URL('operation-ids.txt', import.meta.url), 'utf8')
      .trim()
      .split('\n');
    // A released name is never changed.
    expect(operations.map(({ method, path, operationId }) => `${method} ${path} ${operationId}`).sort()).toEqual(
      listed,
    );
    expect(Object.keys(reference.components.schemas)).toEqual(expect.not.arrayContaining(STANDARD_TYPES));
  });

  it('names every object inside of a record or a response, except the envelope around one record', () => {
    const isNamed = (place: string, schema: any, isOutermost = true): string[] => {
      const { properties: fields = {}, items, anyOf = [], additionalProperties: values } = schema;
      const names = Object.keys(fields);
      const isEnvelope = names.every((name) => name === 'data' || name === 'message');
      const unnamed = names.length > 0 && !isOutermost && !isEnvelope ? [place] : [];
      const inner = [...Object.values<any>(fields), ...anyOf, items, values].filter((each) => typeof each === 'object');
      return [...unnamed, ...inner.flatMap((each) => isNamed(place, each, false))];
    };
    const schemas = Object.entries<any>(reference.components.schemas);
    const bodies = [...requestBodies, ...responseBodies].map(({ place, schema }) => [place, { anyOf: [schema] }]);
    const unnamed = [...schemas, ...bodies].flatMap(([place, schema]) => isNamed(place as string, schema));
    // Any names of variables are accepted, and one of them can be an object.
    expect(new Set(unnamed)).toEqual(new Set(['PreviewTemplate']));
  });

  it('gives every object named fields or a type for its values', () => {
    const untyped = (place: string, schema: any): string[] => {
      const isObject = [schema.type].flat().includes('object');
      const { properties: fields, items, anyOf = [], additionalProperties: others } = schema;
      const inner = [...Object.values(fields ?? {}), ...anyOf, ...(items ? [items] : [])];
      return [
        ...(isObject && !fields && (others === undefined || others === false) ? [place] : []),
        ...inner.flatMap((each) => untyped(place, each)),
      ];
    };
    const values = [...properties, ...requestBodies, ...responseBodies];
    expect(values.flatMap(({ place, schema }) => untyped(place, schema))).toEqual([]);
  });
});
