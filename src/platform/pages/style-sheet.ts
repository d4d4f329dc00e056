import { createHash } from 'node:crypto';
import { Html } from './html.js';

/** A `<style>` element, and the source expression by which a Content-Security-Policy allows only this one. */
export interface InlineStyleSheet {
  readonly element: Html;
  readonly source: string;
}

/** The element contains exactly the hashed text, without added white space. */
export const styleSheet = (css: string): InlineStyleSheet => ({
  element: new Html(`<style>${css}</style>`),
  source: `'sha256-${createHash('sha256').update(css).digest('base64')}'`,
});
