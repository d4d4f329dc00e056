/**
 * `fetch` for URLs that the operator has configured, which may have any address. Redirects are not followed, because they
 * would send credentials to another host. Throws what `fetch` throws.
 */
export const fetchConfigured = (url: string, init: Omit<RequestInit, 'redirect'>): Promise<Response> =>
  fetch(url, { ...init, redirect: 'manual' });
