import { ParsedTemplate, type TemplateToken } from './parsed-template.js';
import { assertTemplateSize, MAX_VARIABLES, tooManyVariables } from './template-limits.js';
import { TemplateSyntaxError } from './template-syntax-error.js';
import { OPENING, VariableReader } from './variable-reader.js';

/** Starts a tag of Liquid, of which only `{{ … }}` is supported. */
const TAG_OPENING = '{%';

/**
 * Parses a body or a subject, in time linear in its length. Only `{{` has a meaning: single braces, a `}}` without `{{`
 * and CSS are plain text.
 * @throws TemplateSyntaxError for an unclosed or malformed `{{ … }}`; TemplateTooLarge
 */
export function parseTemplate(source: string): ParsedTemplate {
  assertTemplateSize(source);
  const template = parseUpTo(MAX_VARIABLES + 1, source);
  if (template.tokens.filter(isVariable).length > MAX_VARIABLES) throw tooManyVariables();
  return template;
}

/**
 * Parses a source that was checked before a footer was added to it: the limits do not count the additions.
 * @throws TemplateSyntaxError
 */
export const parseUnlimited = (source: string): ParsedTemplate => parseUpTo(Infinity, source);

/**
 * Returns the names of the variables of a template, each once, in order of appearance. Templates that were stored before
 * there were limits may exceed them; of these it reads the first 500 variables.
 * @throws TemplateSyntaxError
 */
export const variableNames = (source: string): readonly string[] => parseUpTo(MAX_VARIABLES, source).variables;

/**
 * Returns the names of the variables of a template that have no default, each once. See {@link variableNames}.
 * @throws TemplateSyntaxError
 */
export function variablesWithoutDefault(source: string): readonly string[] {
  const { tokens } = parseUpTo(MAX_VARIABLES, source);
  return [
    ...new Set(tokens.flatMap((token) => (typeof token !== 'string' && token.fallback === '' ? token.name : []))),
  ];
}

/**
 * Parses a text that is about to be stored.
 * @throws TemplateSyntaxError, also for `{%`, which recipients would see; TemplateTooLarge
 */
export function assertStorable(source: string): void {
  parseTemplate(source);
  const tag = source.indexOf(TAG_OPENING);
  if (tag >= 0) throw TemplateSyntaxError.at(source, tag, '"{%" is not supported, only variables: "{{ name }}"');
}

const isVariable = (token: TemplateToken): boolean => typeof token !== 'string';

/** Parses until the end or a number of variables; the rest is then missing from the result. */
function parseUpTo(maxVariables: number, source: string): ParsedTemplate {
  const tokens: TemplateToken[] = [];
  let [end, variables] = [0, 0];
  for (let start = source.indexOf(OPENING); start >= 0; start = source.indexOf(OPENING, end)) {
    if (variables === maxVariables) return new ParsedTemplate(tokens);
    if (start > end) tokens.push(source.slice(end, start));
    const found = new VariableReader(source, start).read();
    tokens.push(found.variable);
    variables += 1;
    end = found.end;
  }
  if (end < source.length) tokens.push(source.slice(end));
  return new ParsedTemplate(tokens);
}
