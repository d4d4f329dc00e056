/** An encoded word (RFC 2047, 2), with the white space between it and the next one (6.2). */
const ENCODED_WORD = /=\?([\w.:-]{1,40})(?:\*[\w-]{1,20})?\?([bq])\?([^?\s]{0,1000})\?=(?:\s{1,20}(?==\?))?/gi;

/** Decodes the encoded words in the value of a field. Those that cannot be decoded stay as they are. */
export const decodedWords = (value: string): string =>
  value.replace(ENCODED_WORD, (word, charset: string, encoding: string, text: string) => {
    try {
      return new TextDecoder(charset).decode(bytesOf(encoding, text));
    } catch (error) {
      // The charset is unknown.
      if (error instanceof RangeError) return word;
      throw error;
    }
  });

const bytesOf = (encoding: string, text: string): Buffer =>
  encoding.toLowerCase() === 'b'
    ? Buffer.from(text, 'base64')
    : Buffer.from(
        text
          .replaceAll('_', ' ')
          .replace(/=([\da-f]{2})/gi, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      );
