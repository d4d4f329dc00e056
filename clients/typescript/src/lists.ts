import { unwrap } from './errors.js';
import { PAGING_PARAMETERS } from './schema.js';

type Parameters = Readonly<Record<string, unknown>>;

/** A list route, without the types of its records. */
export type ListReader = (
  path: string,
  init: { params: { path?: Parameters; query: Parameters }; signal?: AbortSignal },
) => Promise<
  { data: unknown; error?: undefined; response: Response } | { data?: undefined; error: unknown; response: Response }
>;

interface ListPage {
  readonly data: readonly unknown[];
  readonly meta: {
    readonly current_page?: number | null;
    readonly last_page?: number | null;
    readonly next_cursor?: string | null;
  };
}

interface ReadOptions {
  readonly path?: unknown;
  readonly query?: object | undefined;
  readonly signal?: AbortSignal;
}

const MAX_PER_PAGE = 100;

/**
 * Yields the pages of a list: by cursors if the list has them, else by page numbers. Requests a page when it is needed.
 * @throws ApiError
 */
export async function* readPages(read: ListReader, path: string, options: ReadOptions): AsyncGenerator<ListPage, void> {
  const parameters = PAGING_PARAMETERS[path] ?? [];
  const hasCursors = parameters.includes('cursor');
  let position: Parameters | undefined = hasCursors ? { cursor: '' } : { page: 1 };
  while (position) {
    const query = { ...defaults(parameters), ...options.query, ...position };
    const page = await readPage(read, path, query, options);
    yield page;
    position = hasCursors ? afterCursor(page) : afterNumber(page);
  }
}

/** Only lists that count their records unless they are asked not to have `total`. */
function defaults(parameters: readonly string[]): Parameters {
  return {
    ...(parameters.includes('per_page') ? { per_page: MAX_PER_PAGE } : {}),
    ...(parameters.includes('total') ? { total: 0 } : {}),
  };
}

async function readPage(read: ListReader, path: string, query: Parameters, options: ReadOptions): Promise<ListPage> {
  const call = read(path, {
    params: { query, ...(options.path ? { path: options.path as Parameters } : {}) },
    ...(options.signal ? { signal: options.signal } : {}),
  });
  return (await unwrap(call)) as ListPage;
}

function afterCursor({ meta }: ListPage): Parameters | undefined {
  return meta.next_cursor ? { cursor: meta.next_cursor } : undefined;
}

function afterNumber({ meta, data }: ListPage): Parameters | undefined {
  const { current_page: current, last_page: last } = meta;
  if (data.length === 0 || current == null || last == null || current >= last) return undefined;
  return { page: current + 1 };
}
