/** What a message is counted as. */
export interface FeedbackGroup {
  readonly workspace_id: number;
  readonly campaign_id: number;
  /** Whether it is that of a later step than the first. */
  readonly is_follow_up: boolean;
}

/** The sender for all workspaces: Google wants 5 to 15 characters that never change. */
const FEEDBACK_SENDER = 'outreach';

/**
 * Names the campaign, the workspace and the kind of a message, by which Gmail counts complaints for Postmaster Tools
 * (https://support.google.com/mail/answer/6254652). It names no person: identifiers are of groups of messages, and none
 * occurs in two fields.
 */
export function feedbackHeader({ workspace_id, campaign_id, is_follow_up }: FeedbackGroup): Record<string, string> {
  const kind = is_follow_up ? 'follow-up' : 'first';
  return { 'Feedback-ID': `campaign-${campaign_id}:workspace-${workspace_id}:${kind}:${FEEDBACK_SENDER}` };
}
