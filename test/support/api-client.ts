import { expectDocumented } from './documented-responses.js';

/** A response. `body` is parsed if it is JSON, else text. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any;
  /** `body.data` */
  readonly data: any;
}

/**
 * Sends requests to `/v1` with a token of one workspace. Throws if the API reference does not describe a response
 * completely: its status, its media type, each field and header.
 */
export class ApiClient {
  constructor(
    readonly url: string,
    readonly token: string,
    readonly workspaceId: number,
  ) {}

  get = (path: string, headers = {}) => this.call('GET', path, undefined, headers);
  post = (path: string, body?: unknown, headers = {}) => this.call('POST', path, body, headers);
  put = (path: string, body?: unknown, headers = {}) => this.call('PUT', path, body, headers);
  delete = (path: string, body?: unknown, headers = {}) => this.call('DELETE', path, body, headers);

  /** Sends `body` as JSON; strings, FormData and bytes unchanged. */
  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> {
    const isRaw = typeof body === 'string' || body instanceof FormData || body instanceof Uint8Array;
    const response = await fetch(`${this.url}/v1${path}`, {
      method,
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${this.token}`,
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
    });
    const parsed = await parseResponse(response);
    expectDocumented({ ...parsed, method, path: new URL(response.url).pathname });
    return parsed;
  }
}

/** Reads a response of `fetch` to its end. */
export async function parseResponse(response: Response): Promise<ApiResponse> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text;
  const body: unknown = isJson ? JSON.parse(text) : text;
  const data = isJson ? (body as { data?: unknown } | null)?.data : undefined;
  return { status: response.status, headers: response.headers, body, data };
}
