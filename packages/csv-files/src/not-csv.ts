/** The file cannot be read as CSV. The message is a sentence for the person who has uploaded it. */
export class NotCsv extends Error {
  override readonly name = 'NotCsv';
}
