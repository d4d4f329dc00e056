/** A message as the mail server took it. IDs are without angle brackets. */
export interface CaughtMail {
  readonly to: string;
  readonly message_id: string;
  /** The message that it is a reply to. */
  readonly in_reply_to: string | undefined;
  /** Where one click unsubscribes (RFC 8058); absent unless both headers are there. */
  readonly one_click_url: string | undefined;
  readonly source: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Reads what the demo needs to know of a message in the form of RFC 5322. */
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

/** The value of a header on one line, as it stands there; undefined where there is none. */
export function headerValue(source: string, name: string): string | undefined {
  const [head = ''] = source.split(/\r?\n\r?\n/, 1);
  const lines = head.replace(/\r?\n(?=[ \t])/g, '').split(/\r?\n/);
  const start = `${name.toLowerCase()}:`;
  return lines
    .find((line) => line.toLowerCase().startsWith(start))
    ?.slice(start.length)
    .trim();
}

/** What stands between angle brackets, without the white space that folding leaves there. */
const bracketed = (value: string | undefined): string | undefined =>
  /<([^>]+)>/.exec(value ?? '')?.[1]?.replace(/\s/g, '');
