import { HIDDEN_LINK } from '../../sending/index.js';
import type { Uncounted } from './message-hit.entity.js';

/** A hit as it bears on others of its message. */
export interface Sighting {
  /** Null for the picture. */
  readonly link: number | null;
  readonly created_at: Date;
}

/** An instant at which it is plain that a scanner is at a message. */
export interface Scan {
  readonly at: number;
  readonly sign: Extract<Uncounted, 'hidden_link' | 'many_links'>;
}

/** Nobody reads on, chooses and follows so many links of one message in so short a time. */
const MANY_LINKS = 3;

/** For how long a hit remains undecided: a scanner gives itself away by what it asks for next. */
export const GRACE_SECONDS = 3;

/** For how long a scanner that was noticed is taken to be at the message. */
export const SCAN_SECONDS = 30;

const GRACE_MS = GRACE_SECONDS * 1000;
const SCAN_MS = SCAN_SECONDS * 1000;

/** When scanners were at a message, seen by its hits in the order in which they came. */
export function scansOf(hits: readonly Sighting[]): Scan[] {
  // Link → when it was followed last; the one that was not for the longest time comes first.
  const recent = new Map<number, number>();
  return hits.flatMap(({ link, created_at: createdAt }): Scan[] => {
    const at = createdAt.getTime();
    if (link === null) return [];
    if (link === HIDDEN_LINK) return [{ at, sign: 'hidden_link' }];
    recent.delete(link);
    recent.set(link, at);
    for (const [known, last] of recent) {
      if (last >= at - GRACE_MS) break;
      recent.delete(known);
    }
    return recent.size >= MANY_LINKS ? [{ at, sign: 'many_links' }] : [];
  });
}

/** By what a hit is known to be a scanner's: everything is that happened around the time of a scan. */
export function scannerSign({ created_at: createdAt }: Sighting, scans: readonly Scan[]): Scan['sign'] | undefined {
  const at = createdAt.getTime();
  return scans.find((scan) => at >= scan.at - GRACE_MS && at <= scan.at + SCAN_MS)?.sign;
}
