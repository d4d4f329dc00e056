import { escapeHtml, onOneLine } from './escaping.js';
import { MAX_RENDERED_LENGTH, RenderedTooLong } from './rendered-too-long.js';
import { findText, type TemplateValues, type VariableName } from './template-values.js';

/** One `{{ name | default: "fallback" }}`; without a default the fallback is the empty string. */
export interface Variable extends VariableName {
  readonly fallback: string;
}

/** Text that is sent as it was saved, or the variable that stands there. */
export type TemplateToken = string | Variable;

/**
 * A parsed template: holds no state, renders any number of times, concurrently. An unknown or empty value gives way to
 * the variable's default. Values are never parsed again, so `{{` in one is plain text. All renderings throw
 * RenderedTooLong, and nothing else.
 */
export class ParsedTemplate {
  /** All names found, built-in ones such as `unsubscribe_url` too, each once, in order of appearance. */
  readonly variables: readonly string[];

  constructor(readonly tokens: readonly TemplateToken[]) {
    this.variables = [...new Set(tokens.flatMap((token) => (typeof token === 'string' ? [] : token.name)))];
  }

  /** The body: values and defaults are HTML-escaped, all else is byte for byte what was saved. */
  renderHtml(values: TemplateValues): string {
    return this.#render(values, escapeHtml);
  }

  /** The subject: values and defaults lose line breaks and control characters and are not escaped. */
  renderSubject(values: TemplateValues): string {
    return this.#render(values, onOneLine);
  }

  /** A plain-text body: values and defaults stand as they are. */
  renderText(values: TemplateValues): string {
    return this.#render(values, (text) => text);
  }

  #render(values: TemplateValues, encode: (text: string) => string): string {
    let rendered = '';
    for (const token of this.tokens) {
      rendered += typeof token === 'string' ? token : encode(findText(values, token) || token.fallback);
      if (rendered.length > MAX_RENDERED_LENGTH) throw new RenderedTooLong();
    }
    return rendered;
  }
}
