import { ScheduledTask } from '@outreach/job-queue';
import { QuotaCounter } from '@outreach/request-windows';
import { BlacklistEntry } from '../blacklist/index.js';
import {
  AutoEnrollPass,
  AutoEnrollSource,
  Campaign,
  CampaignAccount,
  CampaignRates,
  ChangedContact,
  DueStep,
  Enrollment,
  EnrollmentChange,
  RemovedEnrollment,
  Step,
  StepVariant,
} from '../campaigns/index.js';
import {
  Company,
  Contact,
  ContactChange,
  ContactRefusal,
  CustomField,
  FormerEmail,
  Import,
  ImportFilePart,
  ImportRefusedRows,
  List,
  ListMember,
  OrderedValue,
  Tag,
  TagMember,
} from '../contacts/index.js';
import {
  EmailAccount,
  EmailAccountDay,
  FailedMail,
  MailboxCursor,
  MailboxReading,
  OauthGrant,
  OauthState,
  StoredDomainCheck,
} from '../email-accounts/index.js';
import { ProviderCallback } from '../inbound/index.js';
import { MarketplacePack, MarketplacePackTemplate, MarketplaceTemplate } from '../marketplace/index.js';
import { loadedExtensions } from '../platform/extensions/index.js';
import { RecordCount } from '../platform/database/index.js';
import { IdempotencyKey } from '../platform/idempotency/index.js';
import { HashKey } from '../platform/keyed-hash/index.js';
import { Erasure } from '../personal-data/index.js';
import { Reply } from '../replies/index.js';
import { SandboxClock } from '../sandbox/index.js';
import { Segment, SegmentCount } from '../segments/index.js';
import {
  Absence,
  Message,
  MessageClaim,
  NewContactCount,
  OwnContent,
  MessageResult,
  QueuedMessage,
  SandboxDelay,
  SandboxMessage,
  SandboxReaction,
} from '../sending/index.js';
import { Template } from '../templates/index.js';
import { TrackingDomain, TrackingEvent } from '../tracking/index.js';
import {
  EventBatch,
  EventFeed,
  Webhook,
  WebhookDelivery,
  WebhookEvent,
  WebhookLog,
  WebhookLogCount,
} from '../webhooks/index.js';
import { ApiToken, Workspace } from '../workspaces/index.js';

/** The entities of all tables. */
export const entities = [
  Workspace,
  SandboxClock,
  ApiToken,
  Company,
  Contact,
  ContactChange,
  ContactRefusal,
  HashKey,
  List,
  ListMember,
  Tag,
  TagMember,
  CustomField,
  OrderedValue,
  FormerEmail,
  Import,
  ImportFilePart,
  ImportRefusedRows,
  Segment,
  SegmentCount,
  Template,
  MarketplaceTemplate,
  MarketplacePack,
  MarketplacePackTemplate,
  EmailAccount,
  EmailAccountDay,
  StoredDomainCheck,
  MailboxReading,
  MailboxCursor,
  FailedMail,
  OauthGrant,
  OauthState,
  Campaign,
  CampaignAccount,
  CampaignRates,
  Step,
  AutoEnrollSource,
  AutoEnrollPass,
  ChangedContact,
  Enrollment,
  EnrollmentChange,
  RemovedEnrollment,
  DueStep,
  StepVariant,
  Absence,
  Message,
  MessageClaim,
  NewContactCount,
  OwnContent,
  MessageResult,
  QueuedMessage,
  SandboxDelay,
  SandboxMessage,
  SandboxReaction,
  Reply,
  TrackingDomain,
  TrackingEvent,
  Webhook,
  WebhookEvent,
  WebhookDelivery,
  WebhookLog,
  WebhookLogCount,
  EventBatch,
  EventFeed,
  BlacklistEntry,
  QuotaCounter,
  IdempotencyKey,
  RecordCount,
  ScheduledTask,
  ProviderCallback,
  Erasure,
  ...loadedExtensions().flatMap((extension) => extension.entities),
];
