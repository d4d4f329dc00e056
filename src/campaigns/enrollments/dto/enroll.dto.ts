import { NullResetsTo, customRule, IdList } from '../../../platform/http/index.js';

const MAX_IDS = 10_000;

export class EnrollContactsDto {
  /**
   * The IDs of 1 to 10,000 contacts. IDs that do not exist are ignored, and an ID that is named twice counts once.
   */
  @IdList(MAX_IDS, 1) contact_ids!: number[];
}

/** Checks that there are 1 to 10,000 lists and segments in total. */
const WithSegments = (): PropertyDecorator =>
  customRule('withSegments', [], {
    validate: (_, about) => {
      const { list_ids: lists, segment_ids: segments } = about?.object as Partial<EnrollFromListsDto>;
      if (!Array.isArray(lists) || !Array.isArray(segments)) return true;
      return lists.length + segments.length >= 1 && lists.length + segments.length <= MAX_IDS;
    },
    message: (field) => `${field} and segment_ids must together contain 1 to ${MAX_IDS} IDs`,
  });

export class EnrollFromListsDto {
  /** The IDs of lists. Together with `segment_ids` there are 1 to 10,000 IDs. */
  @NullResetsTo([]) @WithSegments() @IdList(MAX_IDS) list_ids: number[] = [];

  /** The IDs of segments. The contacts that match at this moment are enrolled. */
  @NullResetsTo([]) @IdList(MAX_IDS) segment_ids: number[] = [];
}
