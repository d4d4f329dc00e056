import { Injectable } from '@nestjs/common';
import { pathId } from '@outreach/http-api/requests';
import type { RecordCheck } from '../platform/http/records/index.js';
import type { ServiceRequest } from '../platform/http/requests/index.js';
import { PublishedRecords } from './published-records.cross-tenant.js';

/** Responds with 404 if the template does not exist or is not published. */
@Injectable()
export class PublishedTemplateCheck implements RecordCheck {
  constructor(private readonly publishedRecords: PublishedRecords) {}

  /** @throws NotFound */
  check({ params }: ServiceRequest): Promise<unknown> {
    return this.publishedRecords.template({ id: pathId(params.id) });
  }
}

/** Responds with 404 if the pack does not exist or is not published. */
@Injectable()
export class PublishedPackCheck implements RecordCheck {
  constructor(private readonly publishedRecords: PublishedRecords) {}

  /** @throws NotFound */
  check({ params }: ServiceRequest): Promise<unknown> {
    return this.publishedRecords.requirePack(pathId(params.id));
  }
}
