import createFetchClient, { type Middleware } from 'openapi-fetch';
import type { Calls } from './calls.js';
import { type EventFeedOptions, readEvents } from './event-feed.js';
import { type ImportMapping, importFile, type ImportOptions } from './imports.js';
import { type ListReader, readPages } from './lists.js';
import { retryingFetch } from './retrying-fetch.js';
import { IDEMPOTENCY_KEY_PATHS } from './schema.js';
import type { ApiPaths, FeedEvent, ListArguments, ListItem, ListPath, Page, Schemas } from './types.js';

export interface OutreachClientOptions {
  /** Where the service runs, without `/v1`: `https://outreach.example.com`. */
  readonly baseUrl: string;
  /** An API token of a workspace. */
  readonly token: string;
  /** How often a request is sent again at most, unless the first attempt is still running: 4 by default. */
  readonly retries?: number;
  /** How long a request waits between its attempts in all, at most: 120,000 milliseconds by default. */
  readonly maxWaitMs?: number;
  /** How long one attempt may take: 30,000 milliseconds by default. */
  readonly timeoutMs?: number;
  /** Sends one attempt; the global `fetch` by default. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Adds and removes middleware of openapi-fetch, which runs once per call, before its first attempt and after its last. */
type MiddlewareMethods = { readonly [Name in 'use' | 'eject']: (...middleware: Middleware[]) => void };

/** The typed calls of openapi-fetch, `GET`, `POST` …, and what reads lists and events to their ends. */
export interface OutreachClient extends Calls, MiddlewareMethods {
  /**
   * Yields every record of a list, 100 per request unless `query.per_page` says otherwise. Lists with cursors return no
   * record twice and leave none out while others are created and deleted; those with pages only may.
   * @throws ApiError if a request fails
   */
  iterate<Path extends ListPath>(
    path: Path,
    ...options: ListArguments<Path>
  ): AsyncGenerator<ListItem<Path>, void, undefined>;
  /** Like {@link iterate}, page by page. */
  iteratePages<Path extends ListPath>(
    path: Path,
    ...options: ListArguments<Path>
  ): AsyncGenerator<Page<Path>, void, undefined>;
  /**
   * Yields the events of the workspace, the oldest first. With `follow` it goes on with new events until `signal` aborts.
   * @throws ApiError if a request fails
   */
  iterateEvents(options?: EventFeedOptions): AsyncGenerator<FeedEvent, void, undefined>;
  /**
   * Imports the contacts of a CSV file of at most 10 MB, and waits until that has ended: `completed`, `failed` or
   * `cancelled`. Its `errors` have the first 100 rows that were refused.
   * @param mapping field → name of the column, such as `{ email: 'E-mail', 'custom_fields.city': 'City' }`; without it, columns
   *   are used whose name is that of a field
   * @throws ApiError if a request fails
   */
  importContacts(file: Blob | string, mapping?: ImportMapping, options?: ImportOptions): Promise<Schemas['Import']>;
}

/** Returns a client with the token of one workspace. */
export function createClient(options: OutreachClientOptions): OutreachClient {
  const { baseUrl, token, retries = 4, maxWaitMs = 120_000, timeoutMs = 30_000 } = options;
  const streamed = new WeakSet<Request>();
  const send = retryingFetch({
    retries,
    maxWaitMs,
    timeoutMs,
    isStreamed: (request) => streamed.has(request),
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
  });
  const client = createFetchClient<ApiPaths>({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    headers: { Authorization: `Bearer ${token}`, Accept: 'application/json, */*;q=0.5' },
    fetch: send,
  });
  client.use({
    onRequest({ request, schemaPath, options: { parseAs } }) {
      if (parseAs === 'stream') streamed.add(request);
      const takesKey = request.method === 'POST' && IDEMPOTENCY_KEY_PATHS.has(schemaPath);
      if (takesKey && !request.headers.has('idempotency-key'))
        request.headers.set('idempotency-key', crypto.randomUUID());
    },
  });
  // Which paths are lists is known to the types of `iterate`, and no longer here.
  const read = client.GET as unknown as ListReader;
  const calls = client as unknown as Calls & MiddlewareMethods;
  return {
    ...calls,
    ...iterators(read),
    importContacts: (file, mapping, importOptions) => importFile(calls, file, mapping, importOptions ?? {}),
  };
}

function iterators(read: ListReader): Pick<OutreachClient, 'iterate' | 'iteratePages' | 'iterateEvents'> {
  return {
    iteratePages: <Path extends ListPath>(path: Path, ...[options]: ListArguments<Path>) =>
      readPages(read, path, options ?? {}) as AsyncGenerator<Page<Path>, void, undefined>,
    async *iterate<Path extends ListPath>(path: Path, ...[options]: ListArguments<Path>) {
      for await (const { data } of readPages(read, path, options ?? {})) yield* data as ListItem<Path>[];
    },
    iterateEvents: (options) => readEvents(read, options ?? {}),
  };
}
