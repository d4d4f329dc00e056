import { NullResetsTo, customRule, IdList } from '../../../platform/http/index.js';

const MAX_IDS = 10_000;

export class EnrollContactsDto {
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
  @NullResetsTo([]) @WithSegments() @IdList(MAX_IDS) list_ids: number[] = [];

  @NullResetsTo([]) @IdList(MAX_IDS) segment_ids: number[] = [];
}
