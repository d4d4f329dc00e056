import type { CustomFetch } from 'openid-client';
import { configuredFetch } from '@outreach/egress';

/** Longer responses are not read: a set of keys has some kilobytes. */
const MAX_RESPONSE_BYTES = 256 * 1024;

const fetchFromProvider = configuredFetch();

/** The requests of `openid-client`, to endpoints of an issuer that the operator has configured. Throws what `fetch` throws. */
export const providerFetch: CustomFetch = async (url, { method, headers, body, signal }) => {
  const response = await fetchFromProvider(url, { method, headers, body: body ?? null, signal: signal ?? null });
  return replaceBody(response, await readLimited(response));
};

/**
 * Like {@link providerFetch}, without the ID token of a response. A refresh does not need it, and one that does not verify
 * would lose a refresh token that has replaced the old one.
 */
export const refreshFetch: CustomFetch = async (url, options) => {
  const response = await providerFetch(url, options);
  const text = await response.text();
  return replaceBody(response, withoutIdToken(text) ?? text);
};

async function readLimited({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const stream: AsyncIterable<Uint8Array> | undefined = body ?? undefined;
  for await (const chunk of stream ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) throw new TypeError('the response is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function withoutIdToken(text: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
    return JSON.stringify({ ...parsed, id_token: undefined });
  } catch {
    return undefined;
  }
}

/** `fetch` has decompressed the body. */
function replaceBody({ status, headers }: Response, body: Buffer | string): Response {
  const remaining = new Headers(headers);
  for (const name of ['content-encoding', 'content-length']) remaining.delete(name);
  return new Response(NO_BODY.has(status) ? null : body, { status, headers: remaining });
}

/** Statuses for which `Response` takes no body. */
const NO_BODY = new Set([204, 205, 304]);
