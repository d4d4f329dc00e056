/** What happens to templates. */
declare module '../platform/events/index.js' {
  interface DomainEventMap {
    /** Published before the row goes, in its transaction and under its lock: whoever refers to it lets go now. */
    'template.deleted': TemplateDeleted;
  }
}

/** The template that is about to be deleted. */
export interface TemplateDeleted {
  readonly template_id: number;
}
