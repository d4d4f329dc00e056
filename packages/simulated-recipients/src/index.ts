export {
  type PlannedReaction,
  type ReactionKind,
  reactionsTo,
  RECIPIENT_TAGS,
  type RecipientTag,
  recipientTagsOf,
} from './recipient-tags.js';
export {
  absenceNotice,
  bouncedNotice,
  complaintNotice,
  deliveredNotice,
  type MailStamp,
  reply,
  type ReportedMail,
  softBounceNotice,
} from './returned-mails.js';
