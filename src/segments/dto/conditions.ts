import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, ValidateNested } from 'class-validator';
import { ConditionDto } from './condition.dto.js';

const MOST_CONDITIONS = 20;

/** 1 to 20 conditions. */
export const Conditions = (): PropertyDecorator =>
  applyDecorators(
    Type(() => ConditionDto),
    ValidateNested({ each: true }),
    ArrayMaxSize(MOST_CONDITIONS),
    ArrayMinSize(1),
    IsArray(),
  );
