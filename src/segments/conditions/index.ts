export { compile, type CompiledSegment } from './compile.js';
export {
  alternatives,
  type Condition,
  CONNECTORS,
  MATCH_TYPES,
  type MatchType,
  type Connector,
  type Operator,
  OPERATORS,
  takesValue,
} from './condition.js';
export { type ConditionError, conditionErrorsOf, type ConditionInput, testOf } from './condition-test.js';
export { customKeyOf, type CustomFieldsByKey, findField } from './fields.js';
export { idOf } from './values.js';
