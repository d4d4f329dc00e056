import { Injectable } from '@nestjs/common';
import { sql } from '../../platform/database/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import { WorkspaceLimits } from '../../platform/limits/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { CampaignCompletion } from '../campaign/campaign-completion.service.js';
import { pauseCampaigns } from '../campaign/campaign-status.queries.js';
import { Campaign } from '../campaign/campaign.entity.js';
import { moveEnrollmentsOffStep, assignFirstStep, shiftDueTimes } from './waiting-enrollments.queries.js';
import type { CreateStepDto } from './dto/create-step.dto.js';
import type { UpdateStepDto } from './dto/update-step.dto.js';
import type { VariantDto } from './dto/step-variant.dto.js';
import { insertPosition, stepAfter, insertAt } from './step-order.js';
import { changedContent, newContents } from './step-contents.js';
import { Step } from './step.entity.js';
import {
  deleteOtherVariants,
  saveVariants,
  type StepRecord,
  stepRecords,
  type VariantContent,
} from './step-variants.queries.js';
import { insertSteps, renumber, type StepContent, stepsInOrder } from './steps.queries.js';
import { matchVariants } from './variant-matching.js';

/**
 * The steps of a campaign. Changes of their number or order lock the campaign's row, so that positions are always 1 to n
 * and no contact is enrolled at a step that is being deleted. They update waiting enrollments, so their statements have no
 * time limit.
 */
@Injectable()
export class StepsService {
  constructor(
    private readonly events: DomainEvents,
    private readonly completion: CampaignCompletion,
    private readonly limits: WorkspaceLimits,
  ) {}

  /** Creates the steps of a new campaign. A `position` inserts a step between those that precede it in the list. */
  async createAll(scope: WorkspaceScope, campaignId: number, steps: readonly CreateStepDto[]): Promise<void> {
    this.limits.assertWithin('steps_per_campaign', steps.length);
    const contents = await newContents(scope, steps);
    const ordered = contents.reduce<(readonly [StepContent, readonly VariantContent[]])[]>(
      (before, content, index) =>
        insertAt(
          before,
          [content, variantContents(steps[index]?.variants)],
          insertPosition(before.length, steps[index]?.position),
        ),
      [],
    );
    const ids = await insertSteps(
      scope,
      campaignId,
      ordered.map(([content]) => content),
    );
    const variants = ids.map((id, index) => ({ step_id: id, variants: newVariants(ordered[index]?.[1] ?? []) }));
    await saveVariants(scope, variants);
  }

  create(scope: WorkspaceScope, { id }: Campaign, dto: CreateStepDto): Promise<StepRecord> {
    return scope.withoutStatementLimit().transaction(async (tx) => {
      const campaign = await tx.of(Campaign).lock(id);
      const others = (await stepsInOrder(tx, id)).map((step) => step.id);
      this.limits.assertWithin('steps_per_campaign', others.length + 1);
      const [content] = await newContents(tx, [dto]);
      const position = insertPosition(others.length, dto.position);
      const step = await tx.of(Step).insert({ ...content, campaign_id: id, position });
      await saveVariants(tx, [{ step_id: step.id, variants: newVariants(variantContents(dto.variants)) }]);
      await renumber(tx, insertAt(others, step.id, position));
      if (campaign.status === 'active' && others.length === 0) {
        await assignFirstStep(tx, id);
        await this.events.publish(tx, 'enrollments.due', { campaign_id: id });
      }
      return stepRecords(tx).get(step.id);
    });
  }

  /** Changes a step. @throws NotFound if it was deleted in the meantime */
  update(scope: WorkspaceScope, { id, campaign_id: campaignId }: Step, dto: UpdateStepDto): Promise<StepRecord> {
    return scope.withoutStatementLimit().transaction(async (tx) => {
      const campaign = await tx.of(Campaign).lock(campaignId);
      const before = await stepRecords(tx).get(id);
      const others = (await stepsInOrder(tx, campaignId)).map((step) => step.id).filter((other) => other !== id);
      const position = dto.position == null ? undefined : insertPosition(others.length, dto.position);
      const step = await tx.of(Step).update(id, { ...(await changedContent(tx, dto)), position });
      if (position !== undefined) await renumber(tx, insertAt(others, id, position));
      if (step.delay_minutes !== before.delay_minutes) {
        await shiftDueTimes(tx, id, step.delay_minutes - before.delay_minutes);
        if (campaign.status === 'active') await this.events.publish(tx, 'enrollments.due', { campaign_id: campaignId });
      }
      if (dto.required_variables) await this.events.publish(tx, 'step.requirements_changed', { step_id: id });
      if (dto.variants) await this.replaceVariants(tx, before, dto.variants);
      return stepRecords(tx).get(id);
    });
  }

  private async replaceVariants(
    tx: WorkspaceScope,
    { id, variants: stored }: StepRecord,
    input: readonly VariantDto[],
  ): Promise<void> {
    const ids = matchVariants(stored, input);
    await deleteOtherVariants(
      tx,
      id,
      ids.filter((each) => each !== null),
    );
    const variants = variantContents(input).map((variant, index) => ({ ...variant, id: ids[index] ?? null }));
    await saveVariants(tx, [{ step_id: id, variants }]);
    await this.events.publish(tx, 'step.variants_changed', { step_id: id });
  }

  /**
   * Deletes a step; its enrollments move to the next one. An active campaign without another step is paused, unless this
   * completes it.
   * @throws NotFound if it was deleted in the meantime
   */
  delete(scope: WorkspaceScope, { id, campaign_id: campaignId }: Step): Promise<void> {
    return scope.withoutStatementLimit().transaction(async (tx) => {
      const campaign = await tx.of(Campaign).lock(campaignId);
      const step = await tx.of(Step).lock(id);
      const steps = await stepsInOrder(tx, campaignId);
      await this.events.publish(tx, 'step.deleted', { step_id: id });
      await moveEnrollmentsOffStep(tx, step, { next: stepAfter(steps, id), isOnly: steps.length === 1 });
      await tx.of(Step).delete(id);
      const others = steps.map((other) => other.id).filter((other) => other !== id);
      await renumber(tx, others);
      if (campaign.status === 'active') await this.events.publish(tx, 'enrollments.due', { campaign_id: campaignId });
      await this.completion.completeIfDone(tx, [campaignId]);
      if (others.length === 0) await this.pauseWithoutStep(tx, campaignId);
    });
  }

  private async pauseWithoutStep(tx: WorkspaceScope, campaignId: number): Promise<void> {
    const paused = await pauseCampaigns(tx, [campaignId], ['active'], 'no_step');
    if (paused.length === 0) return;
    await this.events.publish(tx, 'campaign.paused', { campaigns: sql`SELECT ${campaignId}::bigint` });
  }
}

const variantContents = (variants: readonly VariantDto[] = []): VariantContent[] =>
  variants.map(({ name, weight, subject, body }) => ({ name, weight, subject: subject ?? null, body: body ?? null }));

const newVariants = (contents: readonly VariantContent[]) => contents.map((content) => ({ ...content, id: null }));
