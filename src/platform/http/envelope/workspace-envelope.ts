import { EnvelopeContext, type JsonParts, type RowsToEncode } from '@outreach/http-api/envelope';
import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { BackgroundSteps } from '@outreach/concurrency';
import { Signer } from '@outreach/keyring';
import { CONFIG, type Config } from '../../config/index.js';
import type { Page } from '../../tenancy/index.js';
import { cursorText, purposeOf } from '../cursors/index.js';
import type { ServiceRequest } from '../requests/index.js';
import { encodeRows } from './encode-rows.js';

/** Signs the cursors of a workspace, and encodes its large lists in turns with those of others. */
@Injectable()
export class WorkspaceEnvelope extends EnvelopeContext {
  constructor(
    private readonly steps: BackgroundSteps,
    private readonly signer: Signer,
    @Inject(CONFIG) private readonly config: Pick<Config, 'public_url'>,
  ) {
    super();
  }

  get publicUrl(): string {
    return this.config.public_url;
  }

  nextCursor({ next, query }: Page<unknown>, { scope, path }: ServiceRequest): string | null {
    if (next === null) return null;
    if (!scope) throw new Error('Only lists of a workspace have cursors.');
    return cursorText(this.signer, purposeOf({ scope, path }, query), next);
  }

  encodeRows(rows: RowsToEncode, { user }: ServiceRequest, response: Response): Promise<JsonParts> {
    if (!user) throw new Error('A large response is a list of records of a workspace.');
    return encodeRows(rows, this.steps, user.workspace_id, response);
  }
}
