import { Transform } from 'class-transformer';
import { IsInt, IsString, Max, Min } from 'class-validator';
import { IsId, IsOneLine, NullableField, NullableTextField, NameField } from '@outreach/http-api/fields';
import type { InputCheck } from '@outreach/http-api/validation';
import { IsTemplateText } from '../../../templates/index.js';

/** The most variants of a step. */
export const MAX_VARIANTS = 5;
const MAX_WEIGHT = 100;

const emptyAsNull = ({ value }: { value: unknown }): unknown => (value === '' ? null : value);

export class VariantDto {
  /**
   * The ID of a variant of this step, as a response shows it: the variant keeps its ID and its counts. Without it, the
   * variant with the same name is the same one. IDs of other steps are ignored.
   */
  @NullableField() @IsId() id?: number | null;

  /** The name, for you. */
  @NameField(255) name!: string;

  /** The share of the contacts that get it, relative to the weights of the other variants; 0 means none. */
  @Max(MAX_WEIGHT) @Min(0) @IsInt() weight!: number;

  /** The subject, with variables as in a template. If it is absent, that of the step. */
  @IsTemplateText() @IsOneLine() @NullableTextField(500) subject?: string | null;

  /** The HTML, with variables as in a template, at most 256 KB. If it is absent, that of the step. */
  @Transform(emptyAsNull) @NullableField() @IsTemplateText() @IsString() body?: string | null;
}

/** At least one variant must have a weight. */
export const weightErrors: InputCheck<{ readonly variants?: readonly VariantDto[] }> = (
  { variants },
  { pathOf, isRefused },
) => {
  const isDrawable = !variants?.length || isRefused('variants') || variants.some((variant) => variant?.weight !== 0);
  return isDrawable ? {} : { [pathOf('variants')]: ['At least one variant must have a weight above 0.'] };
};
