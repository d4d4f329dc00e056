/**
 * `fetch` for addresses that the operator has configured, which may be anywhere. Redirections are never followed: they
 * would lead to where somebody else wants, with what was meant for the first address. Throws what `fetch` throws.
 */
export const fetchConfigured = (url: string, init: Omit<RequestInit, 'redirect'>): Promise<Response> =>
  fetch(url, { ...init, redirect: 'manual' });
