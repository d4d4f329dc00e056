import { JsonResponse } from './json-response.js';
import { DemoFailed } from '../demo-failed.js';

const MAX_EXCERPT_LENGTH = 300;

/** Calls `/v1` of the service over HTTP, with the token of one workspace. */
export class ApiClient {
  constructor(
    private readonly url: string,
    private readonly token: string,
    private readonly signal: AbortSignal,
  ) {}

  /** @throws DemoFailed if the status is not 2xx */
  get(path: string): Promise<JsonResponse> {
    return this.call('GET', `${this.url}/v1${path}`);
  }

  /** Sends a form unchanged and everything else as JSON. @throws DemoFailed if the status is not 2xx */
  post(path: string, body?: object): Promise<JsonResponse> {
    return this.call('POST', `${this.url}/v1${path}`, body);
  }

  /** Returns the records of all pages of a list, following their links. @throws DemoFailed */
  async listAll(path: string): Promise<JsonResponse[]> {
    const records: JsonResponse[] = [];
    let next: string | undefined = `${this.url}/v1${path}`;
    while (next !== undefined) {
      const page = await this.call('GET', next);
      records.push(...page.list('data'));
      next = page.optionalText('links.next');
    }
    return records;
  }

  /** Returns the number of records in a list. @throws DemoFailed */
  async total(path: string): Promise<number> {
    return (await this.get(path)).number('meta.total');
  }

  private async call(method: string, url: string, body?: object): Promise<JsonResponse> {
    const headers = { accept: 'application/json', authorization: `Bearer ${this.token}` };
    const isForm = body instanceof FormData;
    const response = await fetch(url, {
      method,
      headers: body === undefined || isForm ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      signal: this.signal,
    });
    const text = await response.text();
    const call = `${method} ${url}`;
    if (!response.ok) throw new DemoFailed(`${call} returned ${response.status}: ${text.slice(0, MAX_EXCERPT_LENGTH)}`);
    const value: unknown = JSON.parse(text);
    return new JsonResponse(value, call);
  }
}
