import { IsBoolean, Matches } from 'class-validator';
import { normalizeHost, publicHttpsUrl } from '@outreach/egress';
import {
  customRule,
  NullableTextField,
  NullResetsTo,
  OptionalField,
  NullableNameField,
} from '@outreach/http-api/fields';
import {
  type ConsentRequirement,
  MAX_BRAND_NAME_LENGTH,
  MAX_LOGO_URL_LENGTH,
  MAX_POSTAL_ADDRESS_LENGTH,
  MAX_TRACKING_DOMAIN_LENGTH,
} from '../workspace.entity.js';
import { CONSENT_REQUIREMENT_SCHEMA } from './settings.view.js';

const isHttpsUrl = (text: string): boolean => {
  const parsed = publicHttpsUrl(text);
  return 'url' in parsed && parsed.url.protocol === 'https:';
};

/** Recipients load it, the service does not. */
const IsHttpsUrl = (): PropertyDecorator =>
  customRule('isHttpsUrl', [], {
    validate: (value) => typeof value !== 'string' || isHttpsUrl(value),
    message: (field) => `${field} must be a URL that starts with https:// and names a host`,
    schema: { type: 'string', format: 'uri' },
  });

/** A host name that certificates can name (RFC 1123, 2.1), with at least one dot; no address. */
const HOST_NAME = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

const IsTrackingDomain = (): PropertyDecorator =>
  customRule('isTrackingDomain', [], {
    validate: (value) => typeof value !== 'string' || HOST_NAME.test(normalizeHost(value) ?? ''),
    message: (field) => `${field} must be a host name such as links.example.com`,
    schema: {},
  });

const IsConsentRequirement = (): PropertyDecorator =>
  customRule('isConsentRequirement', [], {
    validate: (value) => typeof value === 'boolean' || value === 'auto',
    message: (field) => `${field} must be true, false or auto`,
    schema: CONSENT_REQUIREMENT_SCHEMA,
  });

export class UpdateSettingsDto {
  /**
   * The postal address of the sender, which many countries require in advertising. At most 500 characters, also in
   * several lines. In templates: `{{ sender_address }}`.
   */
  @NullableTextField(MAX_POSTAL_ADDRESS_LENGTH) postal_address?: string | null;
  /** The template variable `brand.name`; by default the name of the sender. */
  @NullableNameField(MAX_BRAND_NAME_LENGTH) brand_name?: string | null;
  /** The template variable `brand.color`, from which the other colors of the brand are derived. */
  @Matches(/^#[0-9a-f]{6}$/i, { message: 'brand_color must be a color such as #1a56c4' })
  @NullableTextField(7)
  brand_color?: string | null;
  /** The image of the template variable `brand.logo`. Messages show it 40 pixels high. */
  @IsHttpsUrl() @NullableTextField(MAX_LOGO_URL_LENGTH) logo_url?: string | null;
  /**
   * A host name of yours, such as `links.example.com`, that leads to the host of the service as its alias (CNAME) or with its
   * address, and has a TXT record with `tracking_domain_txt_name` and `tracking_domain_txt_value`. Links for unsubscribing and
   * for tracking in new messages then begin with `https://` and it. One that leads somewhere else, has no such record, or is
   * used by another workspace is saved, but not used until that has changed.
   */
  @IsTrackingDomain() @NullableTextField(MAX_TRACKING_DOMAIN_LENGTH) tracking_domain?: string | null;
  /**
   * Whether opens and clicks of a contact are measured only if its `tracking_consent` is `granted`, as France and Italy
   * require. With `auto`, the default of new workspaces, that holds for contacts whose `timezone` or country lies in the EU, the
   * EEA, Switzerland or the United Kingdom. The country is that of the custom field `country` or `country_code`: a code (ISO
   * 3166-1) or a name. It holds for messages that were sent before, too.
   */
  @NullResetsTo('auto') @OptionalField() @IsConsentRequirement() tracking_consent_required?: ConsentRequirement;
  /** Whether new campaigns measure opens, if they do not say. */
  @NullResetsTo(true) @OptionalField() @IsBoolean() track_opens?: boolean;
  /** Whether new campaigns measure clicks, if they do not say. */
  @NullResetsTo(true) @OptionalField() @IsBoolean() track_clicks?: boolean;
}
