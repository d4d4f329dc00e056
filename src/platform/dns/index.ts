export { DnsClient } from './dns-client.js';
export type { DnsQueries, DnsResult } from './dns-queries.js';
