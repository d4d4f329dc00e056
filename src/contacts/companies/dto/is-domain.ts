import { customRule } from '../../../platform/http/fields/index.js';
import { normalizeHost } from '@outreach/egress';

const DOMAIN = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])?$/;

/** Accepts a host name with a dot, in any script. Refuses IP addresses, ports and URLs. */
export const IsDomain = (): PropertyDecorator =>
  customRule('isDomain', [], {
    validate: (value) => typeof value === 'string' && DOMAIN.test(normalizeHost(value) ?? ''),
    message: (field) => `${field} must be a host name such as example.com`,
    schema: { type: 'string', format: 'idn-hostname' },
  });
