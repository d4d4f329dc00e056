import { Injectable } from '@nestjs/common';
import { sql } from '../../platform/database/index.js';
import { type ClockWork, GoesByClock } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { dueAutoEnrollment } from './due-auto-enrollment.cross-tenant.js';

/** The changed contacts of a workspace, and members of lists and segments, that campaigns have not examined. */
@Injectable()
export class AutoEnrollmentClockWork {
  @GoesByClock()
  candidates(scope: WorkspaceScope): ClockWork {
    return { isPending: sql`EXISTS (${dueAutoEnrollment(scope.inTime)})` };
  }
}
