import { Body, Controller, Post } from '@nestjs/common';
import { Summary } from '@outreach/http-api/openapi';
import { IdParam } from '@outreach/http-api/requests';
import { Responds } from '@outreach/http-api/responses';
import { RequirePermission } from '@outreach/http-api/routes';
import { Contact, contactView } from '../../../contacts/index.js';
import { LoadRecord } from '../../../platform/http/records/index.js';
import { InWorkspace } from '../../../platform/http/requests/index.js';
import { WorkspaceScope } from '../../../platform/tenancy/index.js';
import { ContactPauses } from './contact-pauses.service.js';
import { PauseContactDto } from './pause-contact.dto.js';

@Controller('v1/contacts')
export class ContactPauseController {
  constructor(private readonly pauses: ContactPauses) {}

  /**
   * No message of a campaign is sent to the contact before an instant: its messages wait with the reason `contact_paused`.
   * Answers to its replies are sent. Another pause replaces the one before.
   */
  @Post(':id/pause')
  @Summary('Pause a contact')
  @RequirePermission('campaigns:write')
  @LoadRecord(Contact)
  @Responds(contactView)
  pause(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number, @Body() { until }: PauseContactDto) {
    return this.pauses.set(scope, id, until);
  }

  /** Ends the pause of the contact: what is due is sent. Without a pause nothing changes. */
  @Post(':id/resume')
  @Summary('Resume a paused contact')
  @RequirePermission('campaigns:write')
  @LoadRecord(Contact)
  @Responds(contactView)
  resume(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.pauses.set(scope, id, null);
  }
}
