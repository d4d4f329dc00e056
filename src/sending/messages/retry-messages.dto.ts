import { IsIn } from 'class-validator';
import { RETRYABLE_STATUSES, type RetryableStatus } from './retry.queries.js';

export class RetryMessagesDto {
  /** The messages with this status are queued again; those that are `queued` for another attempt are due now. */
  @IsIn(RETRYABLE_STATUSES) status!: RetryableStatus;
}
