import { Injectable, SetMetadata } from '@nestjs/common';
import { DecoratedMethods } from '@outreach/decorated-methods';

const STALL_REPORT = Symbol('stall report');

/** `() => Promise<string | undefined>`: the name of the work that a provider leaves alone although it has capacity for it. */
type StallReport = () => Promise<string | undefined>;

/** Marks a {@link StallReport} of a provider. */
export const ReportsStall = (): MethodDecorator => SetMetadata(STALL_REPORT, true);

/** Whether this process makes progress with the work of its role. A process without any always does. */
@Injectable()
export class WorkProgress {
  private reports: readonly StallReport[] | undefined;

  constructor(private readonly methods: DecoratedMethods) {}

  /** @returns the names of the work that is due, and that this process leaves alone although it has capacity for it */
  async stalledWork(): Promise<string[]> {
    this.reports ??= this.methods.withMetadata(STALL_REPORT).map(({ call }) => call as StallReport);
    // What cannot be read now says nothing.
    const names = await Promise.all(this.reports.map((report) => report().catch(() => undefined)));
    return names.filter((name) => name !== undefined);
  }
}
