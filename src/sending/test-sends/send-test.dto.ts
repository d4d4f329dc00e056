import { IsEmailAddress, IsId, NullableField } from '@outreach/http-api/fields';
import { CheckedBy, type InputCheck, RefersTo } from '@outreach/http-api/validation';
import { Contact } from '../../contacts/index.js';
import { Step, StepVariant } from '../../campaigns/index.js';

/** A variant of another step is an error, like one that does not exist. */
const variantErrors: InputCheck<SendTestDto> = async ({ variant_id: id }, { context, pathOf }) => {
  const step = context.record(Step);
  if (id == null || !step) return {};
  const [variant] = await context.scope.of(StepVariant).find({ id });
  return variant && variant.step_id !== step.id ? { [pathOf('variant_id')]: ['No such variant of the step.'] } : {};
};

@CheckedBy(variantErrors)
export class SendTestDto {
  /** The address that gets the message. */
  @IsEmailAddress() to!: string;

  /**
   * The contact whose fields fill the variables. Without a contact, samples fill them. A token needs the permission
   * `contacts:read` to name one.
   */
  @NullableField() @RefersTo(() => Contact, { permission: 'contacts:read' }) @IsId() contact_id?: number | null;

  /** The variant of the step that is sent. Without it, the first one that has a weight; without variants, the step. */
  @NullableField() @RefersTo(() => StepVariant) @IsId() variant_id?: number | null;
}
