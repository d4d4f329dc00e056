/** A message that the mail server accepted. IDs have no angle brackets. */
export interface CaughtMail {
  readonly to: string;
  readonly message_id: string;
  /** The message that it is a reply to. */
  readonly in_reply_to: string | undefined;
  /** The one-click unsubscribe URL (RFC 8058); undefined unless both headers are present. */
  readonly one_click_url: string | undefined;
  readonly source: string;
  /** Milliseconds of `performance.now()`. */
  readonly at: number;
}

/** Parses the headers of a message (RFC 5322) that the demo checks. */
export function parseCaughtMail(to: string, source: string, at: number): CaughtMail {
  const isOneClick = headerValue(source, 'List-Unsubscribe-Post') === 'List-Unsubscribe=One-Click';
  return {
    to,
    message_id: bracketed(headerValue(source, 'Message-ID')) ?? '',
    in_reply_to: bracketed(headerValue(source, 'In-Reply-To')),
    one_click_url: isOneClick ? bracketed(headerValue(source, 'List-Unsubscribe')) : undefined,
    source,
    at,
  };
}

/** Returns the unfolded value of a header, otherwise unchanged; undefined if the header is absent. */
export function headerValue(source: string, name: string): string | undefined {
  const [head = ''] = source.split(/\r?\n\r?\n/, 1);
  const lines = head.replace(/\r?\n(?=[ \t])/g, '').split(/\r?\n/);
  const start = `${name.toLowerCase()}:`;
  return lines
    .find((line) => line.toLowerCase().startsWith(start))
    ?.slice(start.length)
    .trim();
}

/** Returns the text between angle brackets, without the white space of folding. */
const bracketed = (value: string | undefined): string | undefined =>
  /<([^>]+)>/.exec(value ?? '')?.[1]?.replace(/\s/g, '');
