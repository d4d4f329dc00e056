import { ParsedTemplate, tokenSource, type Variable } from './parsed-template.js';

// A placeholder is the number of a variable between two noncharacters, which no text contains (Unicode, 23.7).
const PLACEHOLDER = /\uFDD0(\d+)\uFDD1/;
const placeholder = (number: number): string => `\uFDD0${number}\uFDD1`;

/**
 * The source of a template with a placeholder for each variable, for HTML parsers: they cannot mistake the spaces or
 * the default of a variable for HTML, and equal variables have equal placeholders.
 */
export class PlaceholderSource {
  readonly text: string;
  readonly #variables: Variable[] = [];

  constructor({ tokens }: ParsedTemplate) {
    const numbers = new Map<string, number>();
    const texts = tokens.map((token) => {
      if (typeof token === 'string') return token;
      const key = tokenSource(token);
      const number = numbers.get(key) ?? this.#variables.push(token) - 1;
      numbers.set(key, number);
      return placeholder(number);
    });
    this.text = texts.join('');
  }

  /** Returns the template of a part of the text, or of a text derived from it: placeholders become variables again. */
  template(part: string): ParsedTemplate {
    // A split with a capturing group alternates between literal text and variable numbers.
    const tokens = part.split(PLACEHOLDER);
    return new ParsedTemplate(
      tokens.flatMap((token, index) => (index % 2 === 0 ? token || [] : (this.#variables[Number(token)] ?? []))),
    );
  }
}
