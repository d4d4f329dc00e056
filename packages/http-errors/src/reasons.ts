/** The statuses of errors with a reason . */
export type ReasonStatus = 403 | 409 | 412 | 422 | 429 | 503;

declare const REASON: unique symbol;

/**
 * Which rule a request violates, or why it can be repeated later: a stable code in snake_case, for programs. {@link
 * defineReason} makes it.
 */
export type Reason = string & { readonly [REASON]: true };

/** A reason with what the API reference says about it. One code can be that of several rules. */
export interface ReasonDefinition {
  readonly code: Reason;
  readonly status: ReasonStatus;
  /** A sentence for the API reference and the documentation. */
  readonly meaning: string;
}

const SNAKE_CASE = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;

/** Modules may define the same reason. */
const definitions = new Map<string, ReasonDefinition>();

/**
 * Declares a reason when its module is loaded; the API reference and `docs/errors.md` list it. A released code is never
 * renamed.
 * @param meaning a sentence: which rule is violated
 */
export function defineReason(code: string, status: ReasonStatus, meaning: string): Reason {
  if (!SNAKE_CASE.test(code)) throw new Error(`The reason ${code} must be in snake_case.`);
  const reason = { code: code as Reason, status, meaning };
  definitions.set(JSON.stringify(reason), reason);
  return reason.code;
}

/** Declares several reasons of one status. @param meanings code → meaning */
export function defineReasons<Code extends string>(
  status: ReasonStatus,
  meanings: Readonly<Record<Code, string>>,
): Readonly<Record<Code, Reason>> {
  const codes = Object.keys(meanings) as Code[];
  return Object.fromEntries(codes.map((code) => [code, defineReason(code, status, meanings[code])])) as Record<
    Code,
    Reason
  >;
}

/** Returns all reasons that the loaded modules declare, by code and status. */
export const definedReasons = (): readonly ReasonDefinition[] =>
  [...definitions.values()].sort(
    (one, other) => compare(one.code, other.code) || one.status - other.status || compare(one.meaning, other.meaning),
  );

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
