import type { FetchResponse, MaybeOptionalInit, ParseAs } from 'openapi-fetch';
import type { ApiPaths } from './types.js';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type MediaType = `${string}/${string}`;

type PathsWith<One extends Method> = {
  [Path in keyof ApiPaths]: ApiPaths[Path] extends { [Name in One]: object } ? Path : never;
}[keyof ApiPaths];

/** The options of openapi-fetch: `params`, `body`, `headers`, `signal` … */
type CallOptions<Path extends keyof ApiPaths, One extends Method> = NonNullable<MaybeOptionalInit<ApiPaths[Path], One>>;

type CallArguments<Path extends keyof ApiPaths, One extends Method, As> =
  undefined extends MaybeOptionalInit<ApiPaths[Path], One>
    ? [options?: CallOptions<Path, One> & { parseAs?: As }]
    : [options: CallOptions<Path, One> & { parseAs?: As }];

/**
 * Sends a request, again if need be, and returns `data` of a response with a 2xx status, else `error`, and the `response`.
 * The types of openapi-fetch infer the options from the call, so that unknown fields would compile; these do not.
 */
type Call<One extends Method> = <Path extends PathsWith<One>, As extends ParseAs = 'json'>(
  path: Path,
  ...options: CallArguments<Path, One, As>
) => Promise<FetchResponse<Extract<ApiPaths[Path][One], object>, { parseAs: As }, MediaType>>;

/** One method per method of HTTP. */
export interface Calls {
  readonly GET: Call<'get'>;
  readonly POST: Call<'post'>;
  readonly PUT: Call<'put'>;
  readonly PATCH: Call<'patch'>;
  readonly DELETE: Call<'delete'>;
}
