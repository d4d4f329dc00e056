import { SetMetadata } from '@nestjs/common';

/** Metadata key of routes that ignore an `Idempotency-Key`. */
export const IGNORES_IDEMPOTENCY_KEY = Symbol('ignores Idempotency-Key');

/** The POST changes nothing, so it may run again: an `Idempotency-Key` is ignored, and no response is stored. */
export const IgnoresIdempotencyKey = () => SetMetadata(IGNORES_IDEMPOTENCY_KEY, true);
