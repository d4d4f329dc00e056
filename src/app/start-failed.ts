import { EmbeddedPostgresFailure } from '@outreach/embedded-postgres';
import { OperatorError } from '../platform/errors/index.js';

/** The service cannot start. */
export class StartFailed extends OperatorError {}

/** The process was asked to stop before it was running. */
export class StartStopped extends OperatorError {}

/** The running service cannot continue. */
export class ServiceLost extends OperatorError {}

/** @returns whether the message of an error is one line that tells the operator what to do */
export const isForOperator = (error: unknown): boolean =>
  error instanceof OperatorError || error instanceof EmbeddedPostgresFailure;
