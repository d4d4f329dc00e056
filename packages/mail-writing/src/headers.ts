const UNSUBSCRIBE = 'List-Unsubscribe';
/** The limit of a line with its name (RFC 5322, 2.1.1): the header is not folded. */
const MAX_LINE_LENGTH = 998;

/**
 * One-click unsubscribe (RFC 2369, RFC 8058).
 * @param mailto the address of a mail that unsubscribes, too, if mails to the sender are read. It comes second, because
 *   the first is preferred, and is left out if the line would be too long.
 */
export function unsubscribeHeaders(url: string, mailto?: string): Record<string, string> {
  const both = `<${url}>, <${mailto}>`;
  const isUsed = mailto !== undefined && `${UNSUBSCRIBE}: ${both}`.length <= MAX_LINE_LENGTH;
  return { [UNSUBSCRIBE]: isUsed ? both : `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

/**
 * Makes a message the reply to the last of its thread (RFC 5322, 3.6.4).
 * @param thread Message-IDs without angle brackets, oldest first
 */
export function threadHeaders(thread: readonly string[]): Record<string, string> {
  const parent = thread.at(-1);
  if (parent === undefined) return {};
  return { 'In-Reply-To': `<${parent}>`, References: thread.map((id) => `<${id}>`).join(' ') };
}
