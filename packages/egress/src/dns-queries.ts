import type { MxRecord } from 'node:dns';

/**
 * What a name server says about the records of one type: some, none (also if the name does not exist), or nothing that can
 * be used, because it did not respond, or responded that it failed.
 */
export type DnsResult<T> =
  | { readonly kind: 'found'; readonly records: readonly T[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'unavailable' };

/** Questions to name servers. They never throw. */
export interface DnsQueries {
  /** Each record as one text. */
  txt(name: string): Promise<DnsResult<string>>;
  /** By priority. */
  mx(name: string): Promise<DnsResult<MxRecord>>;
  /** Addresses of both families. */
  addresses(name: string): Promise<DnsResult<string>>;
  cname(name: string): Promise<DnsResult<string>>;
}
