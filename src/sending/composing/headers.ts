/** One-click unsubscribe (RFC 2369, RFC 8058). */
export const unsubscribeHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/**
 * Makes a message the reply to the last of its thread (RFC 5322, 3.6.4).
 * @param thread Message-IDs without angle brackets, oldest first
 */
export function threadHeaders(thread: readonly string[]): Record<string, string> {
  const parent = thread.at(-1);
  if (parent === undefined) return {};
  return { 'In-Reply-To': `<${parent}>`, References: thread.map((id) => `<${id}>`).join(' ') };
}
