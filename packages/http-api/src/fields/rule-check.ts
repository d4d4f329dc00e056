import { getMetadataStorage, type ValidationArguments } from 'class-validator';

/** A rule of a field, as class-validator stores it. */
export type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** A check of a value, and the text for one that it refuses. */
export interface RuleCheck {
  passes(value: unknown): boolean;
  messageFor(value: unknown): string;
}

/** Returns the check of a rule that a decorator has declared; undefined for conditions and nested classes. */
export function ruleCheck(rule: Rule, object: object = {}): RuleCheck | undefined {
  if (rule.type !== 'customValidation') return undefined;
  const [found] = getMetadataStorage().getTargetValidatorConstraints(rule.constraintCls);
  const constraint = found?.instance;
  if (!constraint) return undefined;
  const { propertyName: property, constraints = [] as unknown[] } = rule;
  const argsOf = (value: unknown): ValidationArguments => ({ value, constraints, targetName: '', object, property });
  return {
    passes: (value) => constraint.validate(value, argsOf(value)) === true,
    messageFor: (value) => {
      const message = rule.message || (constraint.defaultMessage?.(argsOf(value)) ?? '');
      const text = typeof message === 'function' ? message(argsOf(value)) : message;
      return text.replaceAll('$property', property).replaceAll('$constraint1', [constraints[0]].flat().join(', '));
    },
  };
}
