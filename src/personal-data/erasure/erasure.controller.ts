import { Controller, Post } from '@nestjs/common';
import { Summary } from '@outreach/http-api/openapi';
import { IdParam } from '@outreach/http-api/requests';
import { RespondsNoContent } from '@outreach/http-api/responses';
import { RequirePermission } from '@outreach/http-api/routes';
import { Contact } from '../../contacts/index.js';
import { LoadRecord } from '../../platform/http/records/index.js';
import { InWorkspace } from '../../platform/http/requests/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { ErasureService } from './erasure.service.js';

@Controller('v1/contacts/:id/erase')
export class ErasureController {
  constructor(private readonly erasures: ErasureService) {}

  /**
   * Deletes the contact and everything that tells of the person: also in events and logs of webhooks, stored responses and
   * refused rows of imports. Numbers of campaigns stay. An entry of the blacklist stays as a keyed hash, which still blocks
   * the address. This cannot be undone.
   */
  @Post()
  @Summary('Erase a contact', 'eraseContact')
  @RequirePermission('contacts:write')
  @LoadRecord(Contact)
  @RespondsNoContent()
  erase(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.erasures.erase(scope, id);
  }
}
