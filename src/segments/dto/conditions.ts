import { ListOf } from '../../platform/http/fields/index.js';
import { ConditionDto } from './condition.dto.js';

const MAX_CONDITIONS = 20;

/** An array of 1 to 20 conditions. */
export const Conditions = (): PropertyDecorator => ListOf(() => ConditionDto, { min: 1, max: MAX_CONDITIONS });
