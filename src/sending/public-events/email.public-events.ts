import { Injectable } from '@nestjs/common';
import type { ContactsUnsubscribed } from '../../contacts/index.js';
import { PublicEvent } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { BotActivities, LinkClicked, MessagesBounced, MessagesEvent } from '../sending.events.js';
import { EXAMPLE_BOT_ACTIVITY, EXAMPLE_BOUNCED, EXAMPLE_CLICKED, EXAMPLE_EMAIL } from './email-event.example.js';
import {
  emailBotActivityView,
  emailBouncedView,
  emailClickedView,
  emailEventView,
  emailOpenedView,
} from './email-event.view.js';
import { botActivityEvents, emailEvents, unsubscribes } from './email-events.queries.js';

const shown = { view: emailEventView, example: EXAMPLE_EMAIL };

/** The events about emails that webhooks receive (API v1, "Events"). */
@Injectable()
export class EmailPublicEvents {
  @PublicEvent('email.sent', { ...shown, when: 'The mail server has accepted an email.' })
  sent(scope: WorkspaceScope, event: MessagesEvent) {
    return emailEvents(scope, event);
  }

  @PublicEvent('email.delivered', { ...shown, when: "The recipient's server has confirmed that it has an email." })
  delivered(scope: WorkspaceScope, event: MessagesEvent) {
    return emailEvents(scope, event);
  }

  @PublicEvent('email.opened', {
    when: 'A recipient opens an email for the first time.',
    view: emailOpenedView,
    example: EXAMPLE_EMAIL,
  })
  opened(scope: WorkspaceScope, event: MessagesEvent) {
    return emailEvents(scope, event);
  }

  @PublicEvent('email.clicked', {
    when:
      'A recipient clicks a link in an email. Each click is an event; ' +
      'of clicks that a provider reports, only the first one of each message.',
    view: emailClickedView,
    example: EXAMPLE_CLICKED,
  })
  async *clicked(scope: WorkspaceScope, event: LinkClicked) {
    for await (const rows of emailEvents(scope, event)) yield rows.map((row) => ({ ...row, url: event.url }));
  }

  @PublicEvent('email.bot_activity', {
    when:
      'A bot, such as a mail scanner, loads the pixel of an email or follows one of its links. The request counts neither as an ' +
      'open nor as a click. Each request is an event, at most 1,000 of each `type` per email.',
    view: emailBotActivityView,
    example: EXAMPLE_BOT_ACTIVITY,
  })
  botActivity(scope: WorkspaceScope, event: BotActivities) {
    return botActivityEvents(scope, event);
  }

  @PublicEvent('email.bounced', {
    when:
      'An email is refused permanently, when it is sent or in a later report. ' +
      '`hard`: the address is dead; `soft`: another email may arrive.',
    view: emailBouncedView,
    example: EXAMPLE_BOUNCED,
  })
  async *bounced(scope: WorkspaceScope, event: MessagesBounced) {
    for await (const rows of emailEvents(scope, event)) yield rows.map((row) => ({ ...row, bounce: event.bounce }));
  }

  @PublicEvent('email.complained', { ...shown, when: 'A recipient reports an email as spam.' })
  complained(scope: WorkspaceScope, event: MessagesEvent) {
    return emailEvents(scope, event);
  }

  @PublicEvent('contact.unsubscribed', {
    ...shown,
    publicName: 'email.unsubscribed',
    when:
      'A contact unsubscribes, through an email or by the API. ' +
      'By the API there is no email: `message_id`, `campaign_id`, `step_id`, `enrollment_id`, `email_account_id` and `subject` are null.',
  })
  unsubscribed(scope: WorkspaceScope, event: ContactsUnsubscribed) {
    return unsubscribes(scope, event);
  }
}
