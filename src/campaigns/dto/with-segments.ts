import { customRule } from '@outreach/http-api/fields';

interface Groups {
  readonly list_ids: readonly number[];
  readonly segment_ids: readonly number[];
}

/** Checks that `list_ids` and `segment_ids` of an input have 1 to `max` IDs in total. */
export const WithSegments = (max: number): PropertyDecorator =>
  customRule('withSegments', [], {
    validate: (_, about) => {
      const { list_ids: lists, segment_ids: segments } = about?.object as Partial<Groups>;
      if (!Array.isArray(lists) || !Array.isArray(segments)) return true;
      return lists.length + segments.length >= 1 && lists.length + segments.length <= max;
    },
    message: (field) => `${field} and segment_ids must together contain 1 to ${max} IDs`,
    schema: {},
  });
