/** The conversion of a body to text takes too much time or memory. */
export class TemplateTooComplex extends Error {
  override readonly name = 'TemplateTooComplex';

  constructor(seconds: number) {
    super(`The body cannot be converted to text within ${seconds} seconds. Its HTML must be simplified.`);
  }
}
