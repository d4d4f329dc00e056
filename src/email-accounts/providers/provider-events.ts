/** A request with events: a JSON array. */
export interface EventRequest {
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** Why a message was not delivered, in the words of the server. */
export interface ReportedFailure {
  readonly text: string;
  readonly status: string;
  /**
   * `other`: the provider says that it is not about the recipient. `dead_address`: it says that the address is dead, which
   * counts if the text says nothing of that. Otherwise the text decides.
   */
  readonly meaning?: 'other' | 'dead_address' | undefined;
  /** The message if there is no text. */
  readonly fallback: string;
}

/** What an event reports about one message. */
export type EventReport = {
  /** Without angle brackets. */
  readonly message_id: string;
  /** In milliseconds since 1970; NaN if it is not known. */
  readonly occurred_at: number;
} & (
  | { readonly kind: 'delivered' | 'complained' | 'unsubscribed' }
  /** `is_machine`: a mail program has opened the message ahead of time, so that it does not count. */
  | { readonly kind: 'opened'; readonly is_machine?: boolean }
  | { readonly kind: 'clicked'; readonly url: string }
  | { readonly kind: 'bounced'; readonly address: string; readonly failure: ReportedFailure }
);

/** What the provider of a sandbox reports by an event. */
export type SimulatedEvent = 'delivered' | 'bounced' | 'soft' | 'complained';

/** A message in a sandbox. */
export interface SimulatedMessage {
  readonly to_address: string;
  /** Without angle brackets. */
  readonly message_id: string;
}

/** How many keys verify a request at most. */
export const MAX_EVENT_KEYS = 10;

/** The events of a provider, which it posts to `/inbound/<type>/{key}`. */
export interface ProviderEvents {
  /** What the provider calls this, e.g. `signed event webhook`. */
  readonly name: string;
  /** The input of its accounts with the key that verifies its requests. */
  readonly key: string;
  /** Returns whether a request was signed with one of the keys: false without keys. */
  isSignedBy(keys: readonly string[], request: EventRequest): Promise<boolean>;
  /** Returns undefined for an event that reports nothing, and for a value that is not an event. */
  read(event: unknown): EventReport | undefined;
  /** Returns the event of a message in a sandbox. `now` is in milliseconds. */
  simulate(kind: SimulatedEvent, message: SimulatedMessage, now: number): object;
}

/** Forms in which a provider posts the mails that it receives, to `/inbound/<path>/{key}`. */
export interface ReceivedForm {
  /** What the provider calls this. */
  readonly name: string;
  readonly path: string;
  /** The name of the operation in client libraries. */
  readonly operation: string;
  /** The part with the raw message. */
  readonly part: string;
  /** The option of the provider that adds this part. */
  readonly option: string;
  readonly max_megabytes: number;
}
