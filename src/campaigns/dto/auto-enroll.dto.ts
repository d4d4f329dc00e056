import { IdList, NullResetsTo } from '@outreach/http-api/fields';
import { RefersTo } from '@outreach/http-api/validation';
import { List } from '../../contacts/index.js';
import { Segment } from '../../segments/index.js';
import { WithSegments } from './with-segments.js';

/** Each of them is looked up for each contact that changes. */
const MAX_LISTS = 100;
const MAX_SEGMENTS = 20;

export class AutoEnrollDto {
  /** The IDs of at most 100 lists. Together with `segment_ids` there is at least one ID. */
  @NullResetsTo([])
  @RefersTo(() => List)
  @WithSegments(MAX_LISTS + MAX_SEGMENTS)
  @IdList(MAX_LISTS)
  list_ids: number[] = [];

  /** The IDs of at most 20 segments. */
  @NullResetsTo([]) @RefersTo(() => Segment) @IdList(MAX_SEGMENTS) segment_ids: number[] = [];
}
