import { is, timestamp, view } from '@outreach/http-api/responses';
import { contactView } from '../contacts/index.js';
import { CONNECTORS, MATCH_TYPES, OPERATORS } from './conditions/index.js';
import type { CountedSegment } from './segment-counts.queries.js';

const condition = is.shape('SegmentCondition', {
  field: is.string,
  operator: is.oneOf(OPERATORS),
  value: is.nullable(is.string),
  connector: is.nullable(is.oneOf(CONNECTORS)),
});

/** A segment in responses (API v1, "Segment"). */
export const segmentView = {
  ...view(
    'Segment',
    {
      id: is.id,
      /** The name. At most 255 characters. */
      name: is.string,
      /** What the segment is for; null if there is no description. At most 1,000 characters. */
      description: is.nullable(is.string),
      /** How conditions without a `connector` are joined. */
      match_type: is.oneOf(MATCH_TYPES),
      /** 1 to 20 conditions, in their order. */
      conditions: is.arrayOf(condition),
      /** How many contacts matched at `contacts_counted_at`. */
      contacts_count: is.integer,
      /** When the contacts were counted. A large segment is not counted again at each request. */
      contacts_counted_at: is.timestamp,
      created_at: is.timestamp,
      updated_at: is.timestamp,
    },
    (segment: CountedSegment) => ({
      conditions: segment.conditions.map(({ field, operator, value, connector }) => {
        return { field, operator, value, connector };
      }),
      contacts_counted_at: timestamp(segment.is_current ? segment.read_at : segment.contacts_counted_at),
    }),
  ),
  untagged: ['contacts_counted_at'],
};

export const segmentPreviewView = view('SegmentPreview', {
  /** How many contacts match now. */
  count: is.integer,
  /** Up to five of them. */
  sample: is.arrayOf(is.view(contactView)),
});
