import { onOneLine, percentEncode } from './escaping.js';
import { MAX_RENDERED_LENGTH, MAX_RENDERED_SUBJECT_LENGTH, RenderedTooLong } from './rendered-too-long.js';
import type { ValueReader, VariableName } from './values.js';

/** One `{{ name | default: "fallback" | url }}`; without a default the fallback is the empty string. */
export interface Variable extends VariableName {
  readonly fallback: string;
  /** Whether `| url` percent-encodes the value, or its default, as a part of a URL. */
  readonly isUrlEncoded: boolean;
}

/** Literal text, or a variable. */
export type TemplateToken = string | Variable;

/** Returns the source of a token: `{{ name | default: "text" | url }}` for a variable. */
export function tokenSource(token: TemplateToken): string {
  if (typeof token === 'string') return token;
  const fallback = token.fallback === '' ? '' : ` | default: "${token.fallback.replace(/["\\]/g, '\\$&')}"`;
  return `{{ ${token.name}${fallback}${token.isUrlEncoded ? ' | url' : ''} }}`;
}

/**
 * A parsed template. It has no state and can be rendered any number of times. An unknown or empty value is replaced by
 * the variable's default. Values are not parsed, so `{{` in a value is plain text. With `| url` a value is percent-encoded
 * instead of what the part of the message asks for. All render methods throw RenderedTooLong, and no other errors.
 */
export class ParsedTemplate {
  /** The names of all variables, each once, in order of appearance. */
  readonly variables: readonly string[];

  constructor(readonly tokens: readonly TemplateToken[]) {
    this.variables = [...new Set(tokens.flatMap((token) => (typeof token === 'string' ? [] : token.name)))];
  }

  /** Renders a body: values and defaults are the HTML that `values` makes of them, the text around them is unchanged. */
  renderHtml(values: ValueReader): string {
    return this.#render(values, (text, variable) => values.html(text, variable));
  }

  /** Renders a subject: values and defaults lose line breaks and control characters and are not escaped. */
  renderSubject(values: ValueReader): string {
    const subject = this.#render(values, onOneLine);
    if (subject.length > MAX_RENDERED_SUBJECT_LENGTH) throw new RenderedTooLong('subject', MAX_RENDERED_SUBJECT_LENGTH);
    return subject;
  }

  /** Renders plain text: values and defaults are unchanged. */
  renderText(values: ValueReader): string {
    return this.#render(values, (text) => text);
  }

  #render(values: ValueReader, encode: (text: string, variable: Variable) => string): string {
    // What is percent-encoded contains nothing that a part of a message has to escape.
    const encoded = (text: string, token: Variable): string =>
      token.isUrlEncoded ? percentEncode(text) : encode(text, token);
    let rendered = '';
    for (const token of this.tokens) {
      rendered += typeof token === 'string' ? token : encoded(values.text(token) || token.fallback, token);
      if (rendered.length > MAX_RENDERED_LENGTH) throw new RenderedTooLong('body', MAX_RENDERED_LENGTH);
    }
    return rendered;
  }
}
