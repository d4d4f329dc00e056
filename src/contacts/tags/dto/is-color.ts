import { customRule } from '../../../platform/http/fields/index.js';

const COLOR = /^#[0-9a-f]{6}$/i;

/** A colour as `#rrggbb`. */
export const IsColor = (): PropertyDecorator =>
  customRule('isColor', [], {
    validate: (value) => typeof value === 'string' && COLOR.test(value),
    message: (field) => `${field} must be a colour such as #1e90ff`,
    schema: { type: 'string', pattern: '^#[0-9A-Fa-f]{6}$' },
  });
