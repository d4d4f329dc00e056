import { parseTemplate } from './rendering/index.js';
import type { Template } from './template.entity.js';

/** The names that the client gave, in order, then those found in subject and body; each once. */
export function variablesOf({ variables, subject, body }: Pick<Template, 'variables' | 'subject' | 'body'>): string[] {
  return [...new Set([...variables, ...parseTemplate(subject).variables, ...parseTemplate(body).variables])];
}
