import { createHash } from 'node:crypto';
import { Html } from './html.js';

/** An inline element, and the source expression by which a Content-Security-Policy allows only this one. */
export interface InlineCode {
  readonly element: Html;
  readonly source: string;
}

/** Returns a `<style>` element. It contains exactly the hashed text, without added white space. */
export const styleSheet = (css: string): InlineCode => inline('style', css);

/** Returns a `<script>` element. It contains exactly the hashed text, without added white space. */
export const script = (code: string): InlineCode => inline('script', code);

const inline = (name: string, code: string): InlineCode => ({
  element: new Html(`<${name}>${code}</${name}>`),
  source: `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
});
