export { DnsClient } from './dns-client.js';
