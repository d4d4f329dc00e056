/** What the simulated mail server and its recipients can do with a message. */
export const RECIPIENT_TAGS = [
  'bounced',
  'soft',
  'rejected',
  'complained',
  'delivered',
  'opened',
  'clicked',
  'bot',
  'replied',
  'ooo',
  'unsubscribed',
  'slow',
  'unknown',
] as const;
export type RecipientTag = (typeof RECIPIENT_TAGS)[number];

/** What follows after the server has accepted a message. */
export type ReactionKind = Exclude<RecipientTag, 'rejected' | 'slow' | 'unknown'>;

/** How long after the reaction before it, or after the message was accepted, each comes. */
const DELAY_SECONDS: Readonly<Record<ReactionKind, number>> = {
  delivered: 2,
  bounced: 5,
  soft: 5,
  bot: 5,
  ooo: 10,
  opened: 60,
  clicked: 45,
  unsubscribed: 60,
  complained: 120,
  replied: 180,
};

/** One thing that follows, with the time since the message was accepted. */
export interface PlannedReaction {
  readonly kind: ReactionKind;
  readonly after_seconds: number;
}

const isTag = (text: string): text is RecipientTag => (RECIPIENT_TAGS as readonly string[]).includes(text);
const isReaction = (tag: RecipientTag): tag is ReactionKind => tag in DELAY_SECONDS;

/** Returns the tags of an address, in their order: `anna+opened+clicked@example.com`. Other texts are no tags. */
export function recipientTagsOf(address: string): RecipientTag[] {
  const [, ...tags] = address.slice(0, address.lastIndexOf('@')).toLowerCase().split('+');
  return tags.filter(isTag);
}

/** Returns what follows after a message with these tags was accepted, each after the one before it. */
export function reactionsTo(tags: readonly RecipientTag[]): PlannedReaction[] {
  let seconds = 0;
  return tags.filter(isReaction).map((kind) => {
    seconds += DELAY_SECONDS[kind];
    return { kind, after_seconds: seconds };
  });
}
