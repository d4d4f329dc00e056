import { createHash } from 'node:crypto';
import { Html } from './html.js';

/** A style sheet inside of a page, and the source expression by which a Content-Security-Policy allows it and no other. */
export interface StyleSheet {
  readonly element: Html;
  readonly source: string;
}

/** The element is one piece with its text: the hash is of exactly that. */
export const styleSheet = (css: string): StyleSheet => ({
  element: new Html(`<style>${css}</style>`),
  source: `'sha256-${createHash('sha256').update(css).digest('base64')}'`,
});
