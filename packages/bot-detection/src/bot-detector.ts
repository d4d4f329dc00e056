/** The number of the link that readers cannot see: only software follows it. */
export const HIDDEN_LINK = 0;

export interface TrackedRequest {
  /** The position of the link in the message, from 1, or {@link HIDDEN_LINK}; null for the pixel. */
  readonly link: number | null;
  readonly created_at: Date;
}

/** A time (milliseconds) at which a request shows that a bot fetches the links of a message. */
export interface BotDetection {
  readonly at: number;
  readonly reason: 'hidden_link' | 'many_links';
}

/** The number of different links that show a bot if they are followed within {@link GRACE_SECONDS}. */
const MANY_LINKS = 3;

/** How long an event stays undecided. Later requests of a bot within this time reclassify it. */
export const GRACE_SECONDS = 3;

/** How long all requests after a detection are attributed to the bot. */
export const BOT_WINDOW_SECONDS = 30;

const GRACE_MS = GRACE_SECONDS * 1000;
const BOT_WINDOW_MS = BOT_WINDOW_SECONDS * 1000;

/** Detects bots. @param requests for one message, in their order */
export function detectBots(requests: readonly TrackedRequest[]): BotDetection[] {
  // Link → time of its last request, sorted by that time.
  const recent = new Map<number, number>();
  return requests.flatMap(({ link, created_at: createdAt }): BotDetection[] => {
    const at = createdAt.getTime();
    if (link === null) return [];
    if (link === HIDDEN_LINK) return [{ at, reason: 'hidden_link' }];
    recent.delete(link);
    recent.set(link, at);
    for (const [known, last] of recent) {
      if (last >= at - GRACE_MS) break;
      recent.delete(known);
    }
    return recent.size >= MANY_LINKS ? [{ at, reason: 'many_links' }] : [];
  });
}

/** Returns the reason why a request is attributed to a bot: it was made around the time of a detection. */
export function botReasonOf(
  { created_at: createdAt }: TrackedRequest,
  detections: readonly BotDetection[],
): BotDetection['reason'] | undefined {
  const at = createdAt.getTime();
  return detections.find((detection) => at >= detection.at - GRACE_MS && at <= detection.at + BOT_WINDOW_MS)?.reason;
}
