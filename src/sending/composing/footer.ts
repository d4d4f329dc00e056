import type { Footer } from '../../templates/index.js';

/** An unsubscribe link, for bodies that do not use `{{ unsubscribe_url }}` themselves. */
export const UNSUBSCRIBE_FOOTER: Footer = {
  html: '<p style="margin-top:24px;font-size:12px;color:#767676"><a href="{{ unsubscribe_url }}" style="color:#767676">Unsubscribe</a></p>',
  unlessVariable: 'unsubscribe_url',
};
