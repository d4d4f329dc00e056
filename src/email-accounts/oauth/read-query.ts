import type { Request } from 'express';

/** Returns the parameters of the query of a request. Of one that is there several times, `get` returns the first. */
export const readQuery = ({ url }: Request): URLSearchParams =>
  new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');
