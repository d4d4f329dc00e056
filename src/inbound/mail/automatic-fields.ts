/** Only automatic replies and mailing lists have these fields in their header. */
export const AUTOMATIC_FIELDS: readonly string[] = [
  'x-autoreply',
  'x-autorespond',
  'x-autoresponse',
  'x-vacation',
  'x-fc-machinegenerated',
  'list-id',
];
