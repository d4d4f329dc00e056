import { Initial1795200000000 } from './1795200000000-initial.js';
import { CountsAndSearch1795200000001 } from './1795200000001-counts-and-search.js';
import { Segments1795200000002 } from './1795200000002-segments.js';
import { ContactConditions1795200000003 } from './1795200000003-contact-conditions.js';
import { Marketplace1795200000004 } from './1795200000004-marketplace.js';
import { Webhooks1795200000005 } from './1795200000005-webhooks.js';
import { OpensAndClicks1795200000006 } from './1795200000006-opens-and-clicks.js';
import { Inbound1795200000007 } from './1795200000007-inbound.js';
import { StandardNames1795200000008 } from './1795200000008-standard-names.js';
import { ContactTimezone1795200000009 } from './1795200000009-contact-timezone.js';
import { PostalAddress1795200000010 } from './1795200000010-postal-address.js';
import { ContactRefusals1795200000011 } from './1795200000011-contact-refusals.js';
import { TokenCreators1795200000012 } from './1795200000012-token-creators.js';
import { AccountDeletion1795200000013 } from './1795200000013-account-deletion.js';
import { WorkspaceDeletion1795200000015 } from './1795200000015-workspace-deletion.js';
import { ReservedDays1795200000021 } from './1795200000021-reserved-days.js';
import { StoredResponses1795200000022 } from './1795200000022-stored-responses.js';
import { SortedContacts1795200000023 } from './1795200000023-sorted-contacts.js';
import { UncertainAttempts1795200000024 } from './1795200000024-uncertain-attempts.js';
import { QueuedMessages1795200000025 } from './1795200000025-queued-messages.js';
import { ContactsByLinkedinUrl1795200000027 } from './1795200000027-contacts-by-linkedin-url.js';
import { KeysOfWorkspaces1795200000028 } from './1795200000028-keys-of-workspaces.js';
import { Imports1795200000031 } from './1795200000031-imports.js';
import { Brands1795200000034 } from './1795200000034-brands.js';
import { OauthAccounts1795200000036 } from './1795200000036-oauth-accounts.js';
import { MailboxReadings1795200000038 } from './1795200000038-mailbox-readings.js';
import { Replies1795200000041 } from './1795200000041-replies.js';
import { ProviderLimits1795200000043 } from './1795200000043-provider-limits.js';
import { ProviderCallbacks1795200000044 } from './1795200000044-provider-callbacks.js';
import { ContactTimeZones1795200000045 } from './1795200000045-contact-time-zones.js';
import { AccountLimits1795200000046 } from './1795200000046-account-limits.js';
import { CampaignLimits1795200000047 } from './1795200000047-campaign-limits.js';
import { StepConditions1795200000048 } from './1795200000048-step-conditions.js';
import { Dkim1795200000049 } from './1795200000049-dkim.js';
import { CampaignRates1795200000050 } from './1795200000050-campaign-rates.js';
import { StepVariants1795200000054 } from './1795200000054-step-variants.js';
import { Domains1795200000055 } from './1795200000055-domains.js';
import { ContactHistory1795200000057 } from './1795200000057-contact-history.js';
import { TrackingConsent1795200000058 } from './1795200000058-tracking-consent.js';
import { AutoEnrollment1795200000059 } from './1795200000059-auto-enrollment.js';
import { BotActivity1795200000062 } from './1795200000062-bot-activity.js';
import { Erasure1795200000064 } from './1795200000064-erasure.js';
import { ExternalIds1795200000066 } from './1795200000066-external-ids.js';
import { ChangeTimes1795200000068 } from './1795200000068-change-times.js';
import { EventsToRead1795200000069 } from './1795200000069-events-to-read.js';
import { ContactsOfEvents1795200000070 } from './1795200000070-contacts-of-events.js';
import { Sandboxes1795200000071 } from './1795200000071-sandboxes.js';
import { SandboxMessages1795200000072 } from './1795200000072-sandbox-messages.js';
import { SandboxClocks1795200000073 } from './1795200000073-sandbox-clocks.js';
import { IdempotencyReservations1795200000076 } from './1795200000076-idempotency-reservations.js';
import { RedeliveredDeliveries1795200000080 } from './1795200000080-redelivered-deliveries.js';
import { ErasureInRanges1795200000081 } from './1795200000081-erasure-in-ranges.js';
import { EnrollmentEnds1795200000082 } from './1795200000082-enrollment-ends.js';
import { ErasureHorizons1795200000083 } from './1795200000083-erasure-horizons.js';
import { ExaminedCampaigns1795200000084 } from './1795200000084-examined-campaigns.js';
import { RefusedAccounts1795200000085 } from './1795200000085-refused-accounts.js';
import { DeferredMessages1795200000088 } from './1795200000088-deferred-messages.js';
import { ConsentByPlace1795200000089 } from './1795200000089-consent-by-place.js';
import { TrackingDomainOwners1795200000093 } from './1795200000093-tracking-domain-owners.js';
import { AccountLeases1795200000095 } from './1795200000095-account-leases.js';
import { Growth1795200000096 } from './1795200000096-growth.js';
import { FailedMails1795200000097 } from './1795200000097-failed-mails.js';
import { ReopenedCampaigns1795200000099 } from './1795200000099-reopened-campaigns.js';
import { FailedCallbacks1795200000100 } from './1795200000100-failed-callbacks.js';
import { TouchedClocks1795200000101 } from './1795200000101-touched-clocks.js';
import { ProviderWaits1795200000102 } from './1795200000102-provider-waits.js';
import { ContactPauses1795200000103 } from './1795200000103-contact-pauses.js';

/** In the order in which they are applied. Written by npm run generate. A released migration is never edited. */
export const migrations = [
  Initial1795200000000,
  CountsAndSearch1795200000001,
  Segments1795200000002,
  ContactConditions1795200000003,
  Marketplace1795200000004,
  Webhooks1795200000005,
  OpensAndClicks1795200000006,
  Inbound1795200000007,
  StandardNames1795200000008,
  ContactTimezone1795200000009,
  PostalAddress1795200000010,
  ContactRefusals1795200000011,
  TokenCreators1795200000012,
  AccountDeletion1795200000013,
  WorkspaceDeletion1795200000015,
  ReservedDays1795200000021,
  StoredResponses1795200000022,
  SortedContacts1795200000023,
  UncertainAttempts1795200000024,
  QueuedMessages1795200000025,
  ContactsByLinkedinUrl1795200000027,
  KeysOfWorkspaces1795200000028,
  Imports1795200000031,
  Brands1795200000034,
  OauthAccounts1795200000036,
  MailboxReadings1795200000038,
  Replies1795200000041,
  ProviderLimits1795200000043,
  ProviderCallbacks1795200000044,
  ContactTimeZones1795200000045,
  AccountLimits1795200000046,
  CampaignLimits1795200000047,
  StepConditions1795200000048,
  Dkim1795200000049,
  CampaignRates1795200000050,
  StepVariants1795200000054,
  Domains1795200000055,
  ContactHistory1795200000057,
  TrackingConsent1795200000058,
  AutoEnrollment1795200000059,
  BotActivity1795200000062,
  Erasure1795200000064,
  ExternalIds1795200000066,
  ChangeTimes1795200000068,
  EventsToRead1795200000069,
  ContactsOfEvents1795200000070,
  Sandboxes1795200000071,
  SandboxMessages1795200000072,
  SandboxClocks1795200000073,
  IdempotencyReservations1795200000076,
  RedeliveredDeliveries1795200000080,
  ErasureInRanges1795200000081,
  EnrollmentEnds1795200000082,
  ErasureHorizons1795200000083,
  ExaminedCampaigns1795200000084,
  RefusedAccounts1795200000085,
  DeferredMessages1795200000088,
  ConsentByPlace1795200000089,
  TrackingDomainOwners1795200000093,
  AccountLeases1795200000095,
  Growth1795200000096,
  FailedMails1795200000097,
  ReopenedCampaigns1795200000099,
  FailedCallbacks1795200000100,
  TouchedClocks1795200000101,
  ProviderWaits1795200000102,
  ContactPauses1795200000103,
];
