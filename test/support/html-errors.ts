import { Parser } from 'htmlparser2';

/** Elements that have no end tag (HTML, "Void elements"). */
const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr']);
/** Outlook's own elements are XML, so some are self-closing: `<o:AllowPNG/>`. */
const OUTLOOK_ELEMENT = /^[ovw]:/;
/** Markup that Outlook ignores, and the comments around markup that only Outlook reads. */
const CONDITIONAL = /<!--\[if !mso\]><!-->[^]*?<!--<!\[endif\]-->|<!--\[if [^\]]*\]>|<!\[endif\]-->/g;

/** Returns unclosed elements and unmatched end tags, as other mail programs see them and as Outlook does. */
export function htmlErrors(html: string): string[] {
  return [...tagErrors(html), ...tagErrors(html.replace(CONDITIONAL, ''))];
}

/** Returns the values of an attribute in all elements. */
export function attributesOf(html: string, attribute: string): string[] {
  const found: string[] = [];
  parse(html, {
    onopentag: (_name, attributes) => {
      const value = attributes[attribute];
      if (value !== undefined) found.push(value);
    },
  });
  return found;
}

function tagErrors(html: string): string[] {
  const errors: string[] = [];
  let closed = 0;
  parse(html, {
    onclosetag: (name, isImplied) => {
      if (!isImplied) closed += 1;
      else if (!VOID.has(name) && !OUTLOOK_ELEMENT.test(name)) errors.push(`<${name}> is never closed`);
    },
  });
  const ends = html.replace(/<!--[^]*?-->/g, '').match(/<\/[a-z]/gi)?.length ?? 0;
  return ends === closed ? errors : [...errors, `${ends - closed} unmatched end tags`];
}

function parse(html: string, handler: ConstructorParameters<typeof Parser>[0]): void {
  const parser = new Parser(handler, { recognizeSelfClosing: true });
  parser.write(html);
  parser.end();
}
