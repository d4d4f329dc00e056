import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, IsArray } from 'class-validator';
import { customRule } from '@outreach/http-api/fields';

const MAX_NAME_LENGTH = 255;
const MAX_NAMES = 500;

/** A class-validator rule: a list of variable names. An error names the index of each invalid element. */
export const AreVariableNames = (): PropertyDecorator =>
  applyDecorators(IsArray(), ArrayMaxSize(MAX_NAMES), AreNames());

const AreNames = (): PropertyDecorator =>
  customRule(
    'areNames',
    [],
    {
      validate: (name) => typeof name === 'string' && name !== '' && [...name].length <= MAX_NAME_LENGTH,
      message: (field) => `${field} must be a string of 1 to ${MAX_NAME_LENGTH} characters`,
      schema: { type: 'string', minLength: 1, maxLength: MAX_NAME_LENGTH },
    },
    true,
  );
