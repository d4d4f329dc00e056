import type { SmtpSettings } from './smtp-settings.js';

const MAX_REPLY_LENGTH = 500;

/**
 * Returns a function that makes the reply text of a server safe to show: one line, at most 500 characters, and without
 * the password, which some servers repeat.
 */
export function replySanitizer({ username, password }: Pick<SmtpSettings, 'username' | 'password'>) {
  const secrets = [
    password,
    Buffer.from(password).toString('base64'),
    Buffer.from(`\0${username}\0${password}`).toString('base64'),
  ];
  return (text: string): string =>
    secrets
      .filter(Boolean)
      .reduce((shown, secret) => shown.replaceAll(secret, '[hidden]'), text)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .slice(0, MAX_REPLY_LENGTH);
}

export type ReplySanitizer = ReturnType<typeof replySanitizer>;
