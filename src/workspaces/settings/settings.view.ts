import { is, timestamp, view } from '../../platform/http/index.js';
import type { Workspace } from '../workspace.entity.js';

/** The columns of a workspace that are its settings, which `PUT /settings` changes. */
export const WORKSPACE_SETTINGS = [
  'postal_address',
  'brand_name',
  'brand_color',
  'logo_url',
  'tracking_domain',
  'tracking_consent_required',
  'track_opens',
  'track_clicks',
] as const;

/** The settings of a workspace. */
export type WorkspaceSettings = Pick<Workspace, (typeof WORKSPACE_SETTINGS)[number] | 'tracking_domain_verified_at'>;

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
     * Since when `tracking_domain` has led to the service; null if it does not. It is looked up when it is set, and every
     * hour.
     */
    tracking_domain_verified_at: is.nullable(is.timestamp),
    tracking_consent_required: is.boolean,
    track_opens: is.boolean,
    track_clicks: is.boolean,
  },
  (settings: WorkspaceSettings) => ({
    postal_address: settings.postal_address,
    brand_name: settings.brand_name,
    brand_color: settings.brand_color,
    logo_url: settings.logo_url,
    tracking_domain: settings.tracking_domain,
    tracking_domain_verified_at: timestamp(settings.tracking_domain_verified_at),
    tracking_consent_required: settings.tracking_consent_required,
    track_opens: settings.track_opens,
    track_clicks: settings.track_clicks,
  }),
);
