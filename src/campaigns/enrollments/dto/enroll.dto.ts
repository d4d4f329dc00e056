import { NullResetsTo, IdList } from '@outreach/http-api/fields';
import { WithSegments } from '../../dto/with-segments.js';

const MAX_IDS = 10_000;

export class EnrollContactsDto {
  /**
   * The IDs of 1 to 10,000 contacts. IDs that do not exist are ignored, and an ID that is named twice counts once.
   */
  @IdList(MAX_IDS, 1) contact_ids!: number[];
}

export class EnrollFromListsDto {
  /** The IDs of lists. Together with `segment_ids` there are 1 to 10,000 IDs. */
  @NullResetsTo([]) @WithSegments(MAX_IDS) @IdList(MAX_IDS) list_ids: number[] = [];

  /** The IDs of segments. The contacts that match at this moment are enrolled. */
  @NullResetsTo([]) @IdList(MAX_IDS) segment_ids: number[] = [];
}
