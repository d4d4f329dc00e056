import { Template, type Variable } from './template.js';

// Noncharacters, which no text holds (Unicode, 23.7). Between two of them a variable's number stands for it.
const MARKED = /\uFDD0(\d+)\uFDD1/;
const mark = (number: number): string => `\uFDD0${number}\uFDD1`;

/**
 * A template as one text, for those who read HTML and know nothing of variables: neither a variable's blanks nor its
 * default are taken for HTML, and two equal variables look alike.
 */
export class MarkedSource {
  readonly text: string;
  readonly #variables: Variable[] = [];

  constructor({ pieces }: Template) {
    const numbers = new Map<string, number>();
    const marked = pieces.map((piece) => {
      if (typeof piece === 'string') return piece;
      const key = `${piece.name} ${piece.fallback}`;
      const number = numbers.get(key) ?? this.#variables.push(piece) - 1;
      numbers.set(key, number);
      return mark(number);
    });
    this.text = marked.join('');
  }

  /** The template that a part of the text is, or what was made of one: its variables are put back. */
  template(part: string): Template {
    // Every other part of the split is a number.
    const pieces = part.split(MARKED);
    return new Template(
      pieces.flatMap((piece, index) => (index % 2 === 0 ? piece || [] : (this.#variables[Number(piece)] ?? []))),
    );
  }
}
