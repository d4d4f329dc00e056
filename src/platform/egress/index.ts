export { isCidr } from './cidr.js';
export { connect, type Destination } from './connect.js';
export { AddressRefused, HostUnreachable, HostUnresolvable } from './egress-errors.js';
export { EgressPolicy } from './egress-policy.js';
export { normalizeHost } from './host-name.js';
export { type HostResolver, resolvePublicHost, type Resolution } from './resolve-public-host.js';
