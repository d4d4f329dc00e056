/** One segment. */
export interface SegmentEvent {
  readonly segment_id: number;
}

declare module '../platform/events/index.js' {
  interface DomainEventMap {
    /** The segment may have other contacts now, because its conditions were replaced. */
    'segment.conditions_changed': SegmentEvent;
  }
}
