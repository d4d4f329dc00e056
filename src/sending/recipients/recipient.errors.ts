import { defineReasons, RuleViolated } from '@outreach/http-errors';

/** Why a message must not be sent to a recipient. */
export type RecipientObstacle = 'unsubscribed' | 'bounced' | 'complained' | 'blacklisted';

const MESSAGES: Readonly<Record<RecipientObstacle, string>> = {
  unsubscribed: 'The contact has unsubscribed.',
  bounced: 'The address of the contact has bounced.',
  complained: 'The contact has complained about a message.',
  blacklisted: 'The address is blacklisted.',
};
const OBSTACLES = defineReasons(422, MESSAGES);

/** 422: the contact or the address must not be written to. */
export class RecipientRefused extends RuleViolated {
  constructor(obstacle: RecipientObstacle) {
    super(OBSTACLES[obstacle], MESSAGES[obstacle]);
  }
}
