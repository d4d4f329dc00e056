export { isCidr } from './cidr.js';
export { connect, type Destination } from './connect.js';
export { AddressRefused, HostUnreachable, HostUnresolvable } from './egress-errors.js';
export { EgressPolicy } from './egress-policy.js';
export { hostFault } from './host-fault.js';
export { normalizeHost } from './host-name.js';
export { HttpsClient, type HttpsClientOptions, type Post, type PostOutcome } from './https-client.js';
export { publicHttpsUrl, type UrlVerdict } from './public-https-url.js';
export { type HostResolver, resolvePublicHost, type Resolution } from './resolve-public-host.js';
