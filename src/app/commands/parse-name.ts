import { InvalidArgumentError } from 'commander';
import { isPlainName } from '@outreach/http-api/fields';

const MAX_NAME_LENGTH = 255;

/** @returns a name without spaces around it. @throws InvalidArgumentError */
export function parseName(text: string): string {
  const name = text.trim();
  if (name === '' || [...name].length > MAX_NAME_LENGTH) {
    throw new InvalidArgumentError(`A name has 1 to ${MAX_NAME_LENGTH} characters.`);
  }
  if (!isPlainName(name)) {
    throw new InvalidArgumentError('A name has no control characters and no bidirectional formatting characters.');
  }
  return name;
}
