import { ListOf } from '../../platform/http/index.js';
import { ConditionDto } from './condition.dto.js';

const MOST_CONDITIONS = 20;

/** 1 to 20 conditions. */
export const Conditions = (): PropertyDecorator => ListOf(() => ConditionDto, { min: 1, max: MOST_CONDITIONS });
