import { OptionalField } from '../../platform/http/fields/index.js';
import { IsClassification } from '../reply-classification.js';

export class UpdateReplyDto {
  /**
   * `reply`, `out_of_office`, `automatic`, or one of your own: 1 to 50 characters of `a-z`, `0-9`, `_` and `-`. It changes
   * nothing but the record: no enrollment is ended or continued.
   */
  @OptionalField() @IsClassification() classification?: string;
}
