import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, IsArray } from 'class-validator';
import { declare } from '../platform/http/index.js';

const LONGEST_NAME = 255;
const MOST_NAMES = 500;

/** A class-validator rule: a list of names of variables. Each wrong element is named by its index. */
export const AreVariableNames = (): PropertyDecorator =>
  applyDecorators(AreNames(), ArrayMaxSize(MOST_NAMES), IsArray());

const AreNames = (): PropertyDecorator =>
  declare(
    'areNames',
    [],
    {
      validate: (name) => typeof name === 'string' && name !== '' && [...name].length <= LONGEST_NAME,
      message: (field) => `${field} must be a text of 1 to ${LONGEST_NAME} characters`,
      schema: { type: 'string', minLength: 1, maxLength: LONGEST_NAME },
    },
    true,
  );
