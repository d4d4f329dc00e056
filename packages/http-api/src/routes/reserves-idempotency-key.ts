import { SetMetadata } from '@nestjs/common';

/** Metadata key of {@link ReservesIdempotencyKey}: the seconds of the reservation. */
export const RESERVES_IDEMPOTENCY_KEY = Symbol('reserves Idempotency-Key');

/**
 * The route commits before it does something that cannot be rolled back, such as giving a message to a mail server. Its
 * `Idempotency-Key` is reserved for all processes until the response is stored, or for so many seconds, if the process dies.
 * @param seconds longer than the route takes
 */
export const ReservesIdempotencyKey = (seconds: number): MethodDecorator =>
  SetMetadata(RESERVES_IDEMPOTENCY_KEY, seconds);
