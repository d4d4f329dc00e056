import { is, view } from '@outreach/http-api/responses';

/** Whether a process can serve requests, or does its work. */
const READINESS = [
  /** All that it needs is available. */
  'ok',
  /** Something that it needs is not available, or work is left alone. */
  'unavailable',
  /** It has received the signal to stop. */
  'stopping',
] as const;
export type ReadinessStatus = (typeof READINESS)[number];

/** What was checked, and whether it is available. */
export type CheckedParts = Readonly<Record<string, boolean>>;

/** What `/health/ready` and `/health/work` return, and its status. */
export interface Readiness {
  readonly status: 200 | 503;
  readonly body: { readonly status: ReadinessStatus; readonly checks: CheckedParts };
}

/** The response of a process that runs. */
export const livenessView = view(
  'Liveness',
  {
    /** The process responds. */
    status: { ...is.string, const: 'ok' },
  },
  (body: { status: 'ok' }) => body,
);

export const readinessView = view(
  'Readiness',
  {
    /** Whether the process can serve requests, or does its work. */
    status: is.oneOf(READINESS),
    /**
     * What was checked: `database`, and `redis` if the service uses it → whether it accepts writes; `work` of a worker → whether
     * it does what is due.
     */
    checks: { type: 'object', additionalProperties: is.boolean },
  },
  ({ body }: Readiness) => body,
);
