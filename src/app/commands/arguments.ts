import { InvalidArgumentError } from 'commander';
import { isPlainName } from '@outreach/http-api/fields';

const MAX_NAME_LENGTH = 255;
const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const;
const MAX_LIFETIME_SECONDS = 36_500 * SECONDS.d;

/** @returns the ID of a record. @throws InvalidArgumentError, which commander turns into one line and exit code 1 */
export function parseId(text: string): number {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(id)) throw new InvalidArgumentError('An ID is a positive whole number.');
  return id;
}

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

/** @returns a lifetime such as `30d` in seconds. @throws InvalidArgumentError */
export function parseLifetime(text: string): number {
  const { amount, unit } = /^(?<amount>\d{1,10})(?<unit>[smhd])$/.exec(text)?.groups ?? {};
  const seconds = isUnit(unit) ? Number(amount) * SECONDS[unit] : 0;
  if (seconds <= 0 || seconds > MAX_LIFETIME_SECONDS) {
    throw new InvalidArgumentError('A lifetime is a number of seconds, minutes, hours or days: 45s, 30m, 12h or 30d.');
  }
  return seconds;
}

const isUnit = (text: string | undefined): text is keyof typeof SECONDS => text !== undefined && text in SECONDS;
