import { type Language, MESSAGE_PAGE_HEADERS } from '@outreach/html-pages';
import { connectionPage, connectPage, CONNECT_PAGE_HEADERS } from '@outreach/link-pages';
import type { Response } from 'express';
import { PROVIDERS } from '../providers/providers.js';
import {
  type AgreedConnection,
  type ConnectionQuestion,
  type ConnectionResult,
  redirectOf,
} from './connection-result.js';

/** Asks a person whether to connect a mailbox; or responds as after the provider if there is no question. */
export function showQuestion(
  response: Response,
  language: Language,
  result: ConnectionQuestion | ConnectionResult,
): string {
  if (result.kind !== 'question') return respondWith(response, language, result);
  response.set(CONNECT_PAGE_HEADERS);
  const { provider, workspace_name } = result;
  return connectPage(language, { provider_name: PROVIDERS[provider].name, workspace_name });
}

/** Sends the browser of a person who has agreed to the provider; otherwise responds as after it. */
export function leadToProvider(
  response: Response,
  language: Language,
  result: AgreedConnection | ConnectionResult,
): string {
  if (result.kind !== 'agreed') return respondWith(response, language, result);
  response.set(MESSAGE_PAGE_HEADERS).location(result.authorization_url);
  return '';
}

/** Sends the browser back to its application, or shows a page: 200, or 400 if the mailbox was not connected. */
export function respondWith(response: Response, language: Language, result: ConnectionResult): string {
  response.set(MESSAGE_PAGE_HEADERS);
  const url = redirectOf(result);
  if (url !== undefined) {
    response.status(303).location(url);
    return '';
  }
  if (result.kind !== 'connected') response.status(400);
  return connectionPage(language, result.kind === 'failed' ? result.reason : result.kind);
}
