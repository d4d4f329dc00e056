import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** A response with its body. */
export interface ResponseAt {
  readonly status: number | undefined;
  readonly location: string | undefined;
  readonly text: string;
}

/** Sends a request with a header `Host` that is not the host of the URL: `fetch` would replace it. It follows no redirects. */
export async function requestAt(host: string, url: string, method = 'GET'): Promise<ResponseAt> {
  const sent = request(url, { method, headers: { host }, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, location: response.headers.location, text: await text(response) };
}
