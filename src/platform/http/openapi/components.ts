import type { Schema, View } from '../view.js';
import { ignoredFields, type InputClass } from '../validation/index.js';
import { inputFields, objectSchema } from './input-schema.js';

const PAGE_LINKS: Schema = {
  type: 'object',
  description: 'Absolute URLs of other pages. prev is null on the first page, next on the last.',
  properties: {
    first: { type: 'string', format: 'uri' },
    last: { type: 'string', format: 'uri' },
    prev: { type: ['string', 'null'], format: 'uri' },
    next: { type: ['string', 'null'], format: 'uri' },
  },
  required: ['first', 'last', 'prev', 'next'],
};

const PAGE_META: Schema = {
  type: 'object',
  properties: {
    current_page: { type: 'integer', minimum: 1 },
    last_page: { type: 'integer', minimum: 1 },
    per_page: { type: 'integer', minimum: 1, maximum: 100 },
    total: { type: 'integer', minimum: 0, description: 'Records on all pages' },
    count: { type: 'integer', minimum: 0, description: 'Records on this page' },
  },
  required: ['current_page', 'last_page', 'per_page', 'total', 'count'],
};

const ERROR: Schema = {
  type: 'object',
  properties: {
    error: {
      type: 'string',
      enum: [
        'ValidationError',
        'Forbidden',
        'HttpError',
        'TooManyRequests',
        'ServiceUnavailable',
        'InternalServerError',
      ],
    },
    message: { type: 'string', description: 'For people; the wording may change.' },
    errors: {
      type: ['object', 'null'],
      description: 'Of a ValidationError: the path of each invalid field, as the client wrote it → messages.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
    code: { type: 'integer', description: 'The HTTP status' },
  },
  required: ['error', 'message', 'errors', 'code'],
};

const AUTHENTICATION_ERROR: Schema = {
  type: 'object',
  properties: {
    error: { type: 'string', enum: ['Unauthorized', 'Forbidden'] },
    message: { type: 'string', description: 'For people; the wording may change.' },
  },
  required: ['error', 'message'],
};

/** Returns a reference to a named schema. */
export const schemaRef = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** The named schemas of a document, collected while its routes are described. */
export class Components {
  private readonly named = new Map<string, { readonly source: object; readonly schema: Schema }>();

  constructor() {
    const envelopes = {
      PageLinks: PAGE_LINKS,
      PageMeta: PAGE_META,
      Error: ERROR,
      AuthenticationError: AUTHENTICATION_ERROR,
    };
    for (const [name, schema] of Object.entries(envelopes)) this.named.set(name, { source: schema, schema });
  }

  /** Returns the reference to a view's schema, and adds the schema. */
  view(view: View<never>): Schema {
    if (view.items) return { type: 'array', items: this.view(view.items) };
    return this.add(view.name, view.shape, () => ({
      type: 'object',
      properties: view.shape,
      required: Object.keys(view.shape).filter((field) => !view.optionalFields.includes(field)),
    }));
  }

  /** Returns the reference to an input's schema, and adds the schema. */
  input = (input: InputClass): Schema =>
    this.add(input.name.replace(/Dto$/, ''), input, () =>
      objectSchema(inputFields(input, this.input), ignoredFields(input)),
    );

  /** All schemas, in the order of their names. */
  schemas(): Readonly<Record<string, Schema>> {
    const sorted = [...this.named].sort(([one], [other]) => one.localeCompare(other, 'en'));
    return Object.fromEntries(sorted.map(([name, { schema }]) => [name, schema]));
  }

  private add(name: string, source: object, schema: () => Schema): Schema {
    const existing = this.named.get(name);
    if (existing && existing.source !== source) throw new Error(`Two schemas of the API reference are called ${name}.`);
    if (!existing) this.named.set(name, { source, schema: schema() });
    return schemaRef(name);
  }
}
