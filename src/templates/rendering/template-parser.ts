import { ParsedTemplate, type TemplateToken } from './parsed-template.js';
import { OPENING, VariableReader } from './variable-reader.js';

/**
 * Parses a body or a subject, in time linear in its length. Only `{{` has a meaning: single braces, a `}}` without `{{`
 * and CSS are plain text.
 * @throws TemplateSyntaxError for an unclosed or malformed `{{ … }}`
 */
export function parseTemplate(source: string): ParsedTemplate {
  const tokens: TemplateToken[] = [];
  let end = 0;
  for (let start = source.indexOf(OPENING); start >= 0; start = source.indexOf(OPENING, end)) {
    if (start > end) tokens.push(source.slice(end, start));
    const found = new VariableReader(source, start).read();
    tokens.push(found.variable);
    end = found.end;
  }
  if (end < source.length) tokens.push(source.slice(end));
  return new ParsedTemplate(tokens);
}
