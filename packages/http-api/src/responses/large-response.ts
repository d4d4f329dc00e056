import { SetMetadata } from '@nestjs/common';

/** Metadata key of the {@link LargeRows} of a route. */
export const LARGE_RESPONSE = Symbol('large response');

/** The rows of a large response. */
export interface LargeRows {
  /** The size of a row with long texts. */
  readonly rowBytes: number;
  /** The number of rows, if the route has no `per_page`. */
  readonly rows?: number;
}

/**
 * Declares that rows of the route's list can have more than 8 KB. A page with rows larger than these is counted by its
 * real size when it is written.
 */
export const LargeResponse = (rows: LargeRows): MethodDecorator => SetMetadata(LARGE_RESPONSE, rows);
