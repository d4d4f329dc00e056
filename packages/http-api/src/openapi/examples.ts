import { NAMED, type RouteResponse } from '../responses/index.js';
import type { Route } from '../routes/index.js';
import type { Examples } from './reference-texts.js';

/** Returns the examples with records instead of `{ $example: 'Name' }`, and with those of the events. */
export function completeExamples(
  { schemas, operations, ...rest }: Examples,
  events: Readonly<Record<string, unknown>>,
): Examples {
  const records = { ...events, ...schemas };
  const complete = <T>(value: T): T => withRecords(value, records) as T;
  return { ...rest, schemas: complete(records), operations: complete(operations) };
}

function withRecords(value: unknown, records: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((item) => withRecords(item, records));
  if (typeof value !== 'object' || value === null) return value;
  const { $example: name } = value as { readonly $example?: string };
  if (name !== undefined) return withRecords(records[name], records);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withRecords(item, records)]));
}

/** Returns the example of a record in the envelope of its response; undefined if the record has no example. */
export function envelopeExample(route: Route, response: RouteResponse, { schemas, parameters }: Examples): unknown {
  const { envelope, view, schema } = response;
  const record = schemas[view?.name ?? schema?.[NAMED]?.name ?? ''];
  if (record === undefined) return undefined;
  if (envelope === 'none') return record;
  if (envelope === 'data') return { data: view?.items ? [record] : record };
  const path = route.path.replaceAll(/:\w+/g, String(parameters.id));
  const page = (url: string | null): string | null => url && url.replace(/\/v1\/[^?]*/, path);
  const links = Object.entries((schemas.PageLinks ?? {}) as Readonly<Record<string, string | null>>).map(
    ([name, url]) => [name, page(url)],
  );
  return { data: [record], links: Object.fromEntries(links) as object, meta: schemas.PageMeta };
}
