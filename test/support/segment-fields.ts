/** The fields of contacts to which conditions apply the operators of texts. */
export const TEXT_FIELDS = [
  'email',
  'external_id',
  'first_name',
  'last_name',
  'full_name',
  'company',
  'phone',
  'job_title',
  'linkedin_url',
  'timezone',
] as const;

/** The fields of contacts to which conditions apply the operators of dates. */
export const DATE_FIELDS = ['subscribed_at', 'unsubscribed_at', 'created_at', 'updated_at'] as const;
