import type { Schema } from '../responses/index.js';

/** A response object of OpenAPI. */
export interface ResponseObject {
  readonly description: string;
  readonly headers?: object;
  readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
}

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
/** The references to these headers. */
export const headers = (...names: string[]) => Object.fromEntries(names.map((name) => [name, header(name)]));
export const COMMON_HEADERS = ['X-Request-Id', 'X-API-Version'];
export const QUOTA_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining'];

/** The headers of responses. */
export const HEADERS = {
  'X-Request-Id': { schema: { type: 'string' }, description: "The client's if it matches `[\\w.-]{1,128}`" },
  'X-API-Version': { schema: { type: 'string' } },
  'X-RateLimit-Limit': { schema: { type: 'integer' }, description: 'Requests a minute' },
  'X-RateLimit-Remaining': { schema: { type: 'integer' }, description: 'Requests left in this minute' },
  'Retry-After': { schema: { type: 'integer', minimum: 1 }, description: 'Seconds to wait' },
  ETag: {
    schema: { type: 'string' },
    description: 'The strong entity tag of the record, for `If-Match` and `If-None-Match` (RFC 9110).',
  },
  Location: { schema: { type: 'string', format: 'uri' }, description: 'The URL of the record of the work.' },
  'Preference-Applied': {
    schema: { type: 'string', enum: ['respond-async'] },
    description: 'The preference of the client that was applied (RFC 7240).',
  },
  'Idempotency-Replayed': {
    schema: { type: 'string', enum: ['true'] },
    description: 'The response is that of an earlier request.',
  },
};
