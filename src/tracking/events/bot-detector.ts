import { HIDDEN_LINK } from '../../sending/index.js';
import type { BotReason } from './tracking-event.entity.js';

/** A hit as it bears on others of its message. */
export interface TrackedRequest {
  /** Null for the picture. */
  readonly link: number | null;
  readonly created_at: Date;
}

/** An instant at which it is plain that a scanner is at a message. */
export interface BotDetection {
  readonly at: number;
  readonly reason: Extract<BotReason, 'hidden_link' | 'many_links'>;
}

/** Nobody reads on, chooses and follows so many links of one message in so short a time. */
const MANY_LINKS = 3;

/** For how long a hit remains undecided: a scanner gives itself away by what it asks for next. */
export const GRACE_SECONDS = 3;

/** For how long a scanner that was noticed is taken to be at the message. */
export const BOT_WINDOW_SECONDS = 30;

const GRACE_MS = GRACE_SECONDS * 1000;
const BOT_WINDOW_MS = BOT_WINDOW_SECONDS * 1000;

/** When scanners were at a message, seen by its hits in the order in which they came. */
export function detectBots(requests: readonly TrackedRequest[]): BotDetection[] {
  // Link → when it was followed last; the one that was not for the longest time comes first.
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

/** By what a hit is known to be a scanner's: everything is that happened around the time of a scan. */
export function botReasonOf(
  { created_at: createdAt }: TrackedRequest,
  detections: readonly BotDetection[],
): BotDetection['reason'] | undefined {
  const at = createdAt.getTime();
  return detections.find((detection) => at >= detection.at - GRACE_MS && at <= detection.at + BOT_WINDOW_MS)?.reason;
}
