import { is, view } from '@outreach/http-api/responses';
import type { ConsentRequirement, Workspace } from '../workspace.entity.js';
import { verificationName, verificationValue } from './tracking-domains.js';

/** The settings that `PUT /settings` changes and that are one column of a workspace each. */
export const SETTING_COLUMNS = [
  'postal_address',
  'brand_name',
  'brand_color',
  'logo_url',
  'tracking_domain',
  'track_opens',
  'track_clicks',
] as const;

/** The settings of a workspace. */
export type WorkspaceSettings = Pick<
  Workspace,
  (typeof SETTING_COLUMNS)[number] | 'tracking_domain_token' | 'tracking_domain_verified_at'
> & {
  readonly tracking_consent_required: ConsentRequirement;
};

/** The JSON Schema of a {@link ConsentRequirement}. */
export const CONSENT_REQUIREMENT_SCHEMA = { type: ['boolean', 'string'], enum: [true, false, 'auto'] } as const;

export const settingsView = view(
  'WorkspaceSettings',
  {
    postal_address: is.nullable(is.string),
    brand_name: is.nullable(is.string),
    brand_color: is.nullable(is.string),
    logo_url: is.nullable(is.string),
    /** The host name with which links in messages begin while it is verified; null for that of the service. */
    tracking_domain: is.nullable(is.string),
    /**
     * The name of the TXT record with which the owner of `tracking_domain` gives it to this workspace; null if there is no
     * domain.
     */
    tracking_domain_txt_name: is.nullable(is.string),
    /** The value of that record, which is the same for all domains of the workspace. */
    tracking_domain_txt_value: is.string,
    /**
     * Since when `tracking_domain` has led to the service and has had the TXT record of this workspace; null if it does not,
     * or while another workspace uses it. It is looked up when it is set, and every hour.
     */
    tracking_domain_verified_at: is.nullable(is.timestamp),
    /**
     * Whether opens and clicks of a contact are measured only if its `tracking_consent` is `granted`. With `auto` that holds for
     * contacts whose `timezone` or country lies in the EU, the EEA, Switzerland or the United Kingdom. The country is that of the
     * custom field `country` or `country_code`: a code (ISO 3166-1) or a name.
     */
    tracking_consent_required: CONSENT_REQUIREMENT_SCHEMA,
    track_opens: is.boolean,
    track_clicks: is.boolean,
  },
  ({ tracking_domain: domain, tracking_domain_token: token }: WorkspaceSettings) => ({
    tracking_domain_txt_name: domain === null ? null : verificationName(domain),
    tracking_domain_txt_value: verificationValue(token),
  }),
);
