import { scanHtml, parseTemplate } from '../../templates/index.js';

const FOOTER =
  '<p style="margin-top:24px;font-size:12px;color:#767676"><a href="{{ unsubscribe_url }}" style="color:#767676">Unsubscribe</a></p>';

/** Appends an unsubscribe link to a body, unless the body uses `{{ unsubscribe_url }}` itself. */
export function withFooter(body: string): string {
  if (parseTemplate(body).variables.includes('unsubscribe_url')) return body;
  const { bodyEnd } = scanHtml(body);
  return bodyEnd === body.length ? `${body}\n${FOOTER}` : `${body.slice(0, bodyEnd)}${FOOTER}\n${body.slice(bodyEnd)}`;
}
