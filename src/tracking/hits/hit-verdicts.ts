import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { Engagement } from '../../sending/index.js';
import { decideHits, hitsToJudge, type JudgedHit } from './hits.queries.js';
import type { Verdict } from './message-hit.entity.js';
import { scannerSign, scansOf } from './scanners.js';

type DecidedHit = JudgedHit & { readonly verdict: Verdict };

/**
 * Decides which hits count. Each waits for a moment first: a scanner gives itself away by what it asks for next, and an
 * event that was told cannot be taken back.
 */
@Injectable()
export class HitVerdicts {
  constructor(private readonly engagement: Engagement) {}

  /** Decides the hits of a workspace that are due, at most some hundred of them. */
  decide(scope: WorkspaceScope): Promise<void> {
    return scope.transaction(async (tx) => {
      const decided = verdicts(await hitsToJudge(tx));
      if (decided.length === 0) return;
      await decideHits(tx, decided);
      await this.count(
        tx,
        decided.filter(({ verdict }) => verdict === 'counted'),
      );
    });
  }

  private async count(tx: WorkspaceScope, hits: readonly DecidedHit[]): Promise<void> {
    const opened = new Set(hits.filter((hit) => hit.is_opened).map((hit) => hit.message_id));
    for (const { message_id: id, url, created_at: occurredAt } of hits) {
      if (url !== null) await this.engagement.clicked(tx, [id], { url, occurred_at: occurredAt });
      else if (!opened.has(id)) await this.engagement.opened(tx, [id], occurredAt);
      opened.add(id);
    }
  }
}

/** The hits that are due, with what was decided of them: in the order in which they came, message by message. */
function verdicts(hits: readonly JudgedHit[]): DecidedHit[] {
  const messages = new Map<number, JudgedHit[]>();
  for (const hit of hits) {
    const ofMessage = messages.get(hit.message_id) ?? [];
    ofMessage.push(hit);
    messages.set(hit.message_id, ofMessage);
  }
  return [...messages.values()].flatMap((ofMessage) => {
    const scans = scansOf(ofMessage);
    const due = ofMessage.filter((hit) => hit.is_due);
    return due.map((hit) => ({ ...hit, verdict: scannerSign(hit, scans) ?? 'counted' }));
  });
}
