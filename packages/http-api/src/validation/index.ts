export { referenceErrors } from './check-errors.js';
export {
  ChangedByOperation,
  CheckedBy,
  type CheckedInput,
  declaredChecks,
  IgnoredIf,
  type InputCheck,
  type OperationField,
  RefersTo,
  storedValue,
} from './input-checks.js';
export { type InputContext, InputContexts, type RecordClass } from './input-context.js';
export { readBodyInput, type ReadInput, readQueryInput, readRecord, validInput } from './read-input.js';
