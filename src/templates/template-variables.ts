import { variableNames } from '@outreach/template-language';
import type { Template } from './template.entity.js';

/**
 * Returns the names listed by the client, in order, then those used in subject and body, each once (API v1,
 * "Template").
 */
export function variablesOf({ variables, subject, body }: Pick<Template, 'variables' | 'subject' | 'body'>): string[] {
  return [...new Set([...variables, ...variableNames(subject), ...variableNames(body)])];
}
