import { parseTemplate } from './rendering/index.js';
import type { Template } from './template.entity.js';

/** The names that were given, in order, then those found in subject and body; each once (API v1, "Template"). */
export function variablesOf({ variables, subject, body }: Pick<Template, 'variables' | 'subject' | 'body'>): string[] {
  return [...new Set([...variables, ...parseTemplate(subject).variables, ...parseTemplate(body).variables])];
}
