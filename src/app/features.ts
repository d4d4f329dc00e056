import type { Type } from '@nestjs/common';
import { ActivityModule } from '../activity/index.js';
import { BlacklistModule } from '../blacklist/index.js';
import { AUTO_ENROLLING, CampaignsModule, CampaignsWorkerModule } from '../campaigns/index.js';
import { ContactsModule, ContactsWorkerModule, IMPORTING } from '../contacts/index.js';
import { EmailAccountsModule } from '../email-accounts/index.js';
import { InboundModule, InboundWorkerModule, MAILBOX_READING } from '../inbound/index.js';
import { MarketplaceModule } from '../marketplace/index.js';
import { loadedExtensions } from '../platform/extensions/index.js';
import { PersonalDataModule, PersonalDataWorkerModule } from '../personal-data/index.js';
import { RepliesModule } from '../replies/index.js';
import { SANDBOX_CLOCKS, SANDBOX_REACTIONS, SandboxModule, SandboxWorkerModule } from '../sandbox/index.js';
import { SegmentsModule } from '../segments/index.js';
import { PLANNING, SENDING, SendingModule, SendingWorkerModule } from '../sending/index.js';
import { TemplatesModule } from '../templates/index.js';
import { TrackingModule } from '../tracking/index.js';
import { DELIVERING, WebhooksModule, WebhooksWorkerModule } from '../webhooks/index.js';
import { WorkspacesWorkerModule } from '../workspaces/index.js';

/** The modules that both the API and the worker import. */
export const features: Type[] = [
  BlacklistModule,
  TemplatesModule,
  MarketplaceModule,
  EmailAccountsModule,
  ContactsModule,
  SegmentsModule,
  CampaignsModule,
  SendingModule,
  TrackingModule,
  RepliesModule,
  ActivityModule,
  PersonalDataModule,
  InboundModule,
  WebhooksModule,
  SandboxModule,
  ...loadedExtensions().flatMap(({ module }) => module ?? []),
];

/** The modules that only the worker imports. */
export const workers: Type[] = [
  SendingWorkerModule,
  CampaignsWorkerModule,
  WebhooksWorkerModule,
  ContactsWorkerModule,
  InboundWorkerModule,
  PersonalDataWorkerModule,
  WorkspacesWorkerModule,
  SandboxWorkerModule,
  ...loadedExtensions().flatMap(({ workerModule }) => workerModule ?? []),
];

/** The names of all queues. */
export const queues: string[] = [
  PLANNING,
  SENDING,
  DELIVERING,
  IMPORTING,
  MAILBOX_READING,
  AUTO_ENROLLING,
  SANDBOX_CLOCKS,
  SANDBOX_REACTIONS,
  ...loadedExtensions().flatMap((extension) => extension.queues),
];
