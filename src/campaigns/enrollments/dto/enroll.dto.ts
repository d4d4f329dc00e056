import { ClearedTo, declare, Ids } from '../../../platform/http/index.js';

const MOST_IDS = 10_000;

export class EnrollContactsDto {
  @Ids(MOST_IDS, 1) contact_ids!: number[];
}

/** The lists and segments count together: 1 to 10,000 of them. */
const WithSegments = (): PropertyDecorator =>
  declare('withSegments', [], {
    validate: (_, about) => {
      const { list_ids: lists, segment_ids: segments } = about?.object as Partial<EnrollFromListsDto>;
      if (!Array.isArray(lists) || !Array.isArray(segments)) return true;
      return lists.length + segments.length >= 1 && lists.length + segments.length <= MOST_IDS;
    },
    message: (field) => `${field} and segment_ids must together hold 1 to ${MOST_IDS} IDs`,
  });

export class EnrollFromListsDto {
  @ClearedTo([]) @WithSegments() @Ids(MOST_IDS) list_ids: number[] = [];

  @ClearedTo([]) @Ids(MOST_IDS) segment_ids: number[] = [];
}
