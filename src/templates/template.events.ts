/** The domain events of templates. */
declare module '../platform/events/index.js' {
  interface DomainEventMap {
    /**
     * Published before the row is deleted, in the same transaction and under its lock, so that listeners remove their
     * references.
     */
    'template.deleted': TemplateDeleted;
  }
}

/** The template that is about to be deleted. */
export interface TemplateDeleted {
  readonly template_id: number;
}
