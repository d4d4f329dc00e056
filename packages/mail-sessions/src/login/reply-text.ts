/** The login, whose password or access token a server may repeat. */
export interface SentLogin {
  readonly username: string;
  readonly password: string;
}

const MAX_REPLY_LENGTH = 500;

/** A shorter secret, such as `on`, occurs in ordinary words, which would not be readable without it. */
const MIN_HIDDEN_LENGTH = 6;

/** Returns the text with `[hidden]` for each secret of at least six characters. A secret that contains others comes first. */
export const hideSecrets = (text: string, secrets: readonly string[]): string =>
  secrets
    .filter((secret) => secret.length >= MIN_HIDDEN_LENGTH)
    .reduce((shown, secret) => shown.replaceAll(secret, '[hidden]'), text);

/**
 * Returns a function that makes the reply text of a server safe to show: one line, at most 500 characters, and without
 * the password or access token, which some servers repeat. One of less than six characters is not hidden. Another length is
 * for text that is read before it is shown.
 */
export function replySanitizer({ username, password }: SentLogin) {
  // The longest first, because it may contain the others.
  const secrets = [
    Buffer.from(`user=${username}\x01auth=Bearer ${password}\x01\x01`).toString('base64'),
    Buffer.from(`\0${username}\0${password}`).toString('base64'),
    Buffer.from(password).toString('base64'),
    password,
  ];
  return (text: string, maxLength = MAX_REPLY_LENGTH): string =>
    hideSecrets(text, secrets)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .slice(0, maxLength);
}

export type ReplySanitizer = ReturnType<typeof replySanitizer>;
