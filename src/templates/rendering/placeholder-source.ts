import { ParsedTemplate, type Variable } from './parsed-template.js';

// Noncharacters, which no text holds (Unicode, 23.7). Between two of them a variable's number stands for it.
const PLACEHOLDER = /\uFDD0(\d+)\uFDD1/;
const placeholder = (number: number): string => `\uFDD0${number}\uFDD1`;

/**
 * A template as one text, for those who read HTML and know nothing of variables: neither a variable's blanks nor its
 * default are taken for HTML, and two equal variables look alike.
 */
export class PlaceholderSource {
  readonly text: string;
  readonly #variables: Variable[] = [];

  constructor({ tokens }: ParsedTemplate) {
    const numbers = new Map<string, number>();
    const texts = tokens.map((token) => {
      if (typeof token === 'string') return token;
      const key = `${token.name} ${token.fallback}`;
      const number = numbers.get(key) ?? this.#variables.push(token) - 1;
      numbers.set(key, number);
      return placeholder(number);
    });
    this.text = texts.join('');
  }

  /** The template that a part of the text is, or what was made of one: its variables are put back. */
  template(part: string): ParsedTemplate {
    // Every other part of the split is a number.
    const tokens = part.split(PLACEHOLDER);
    return new ParsedTemplate(
      tokens.flatMap((token, index) => (index % 2 === 0 ? token || [] : (this.#variables[Number(token)] ?? []))),
    );
  }
}
