import { Injectable } from '@nestjs/common';
import { sql } from '../platform/database/index.js';
import { DomainEvents } from '../platform/events/index.js';
import { WorkspaceLimits } from '../platform/limits/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { Condition } from './conditions/index.js';
import type { ConditionDto } from './dto/condition.dto.js';
import type { CreateSegmentDto, UpdateSegmentDto } from './dto/segment.dto.js';
import { SegmentBudget } from './segment-budget.js';
import { SegmentCounts } from './segment-counts.js';
import type { CountedSegment } from './segment-counts.queries.js';
import { Segment } from './segment.entity.js';

@Injectable()
export class SegmentsService {
  constructor(
    private readonly counts: SegmentCounts,
    private readonly budget: SegmentBudget,
    private readonly limits: WorkspaceLimits,
    private readonly events: DomainEvents,
  ) {}

  /** @throws SegmentTooExpensive, Busy, LimitReached */
  create(
    scope: WorkspaceScope,
    { name, description, match_type, conditions }: CreateSegmentDto,
  ): Promise<CountedSegment> {
    return this.writeAndCount(scope, async (tx) => {
      const values = { name, description, match_type, conditions: stored(conditions) };
      const segment = await tx.of(Segment).insert(values);
      await this.limits.check(tx, 'segments', sql`SELECT 1 FROM segments WHERE workspace_id = ${tx}`);
      return segment;
    });
  }

  /** @throws SegmentTooExpensive, Busy, NotFound */
  async update(scope: WorkspaceScope, { id }: Segment, dto: UpdateSegmentDto): Promise<CountedSegment> {
    const { name, description, match_type, conditions } = dto;
    if (match_type === undefined && conditions === undefined) {
      await scope.of(Segment).update(id, { name, description });
      return this.counts.get(scope, id);
    }
    const changes = { name, description, match_type, conditions: conditions && stored(conditions) };
    return this.writeAndCount(scope, async (tx) => {
      const updated = await tx.of(Segment).update(id, changes);
      await this.events.publish(tx, 'segment.conditions_changed', { segment_id: id });
      return updated;
    });
  }

  /** Counts in the same transaction, so that a segment that cannot be counted in time is not stored. */
  private writeAndCount(
    scope: WorkspaceScope,
    write: (tx: WorkspaceScope) => Promise<Segment>,
  ): Promise<CountedSegment> {
    return this.budget.run(scope, async (tx) => {
      const { id } = await write(tx);
      return this.counts.count(tx, id);
    });
  }
}

const stored = (input: readonly ConditionDto[]): Condition[] =>
  input.map(({ field, operator, value, connector }) => {
    return { field, operator, value: value ?? null, connector: connector ?? null };
  });
