import type { FieldErrors } from '@outreach/http-errors';
import type { Permission } from '@outreach/http-api/routes';
import type { InputCheck } from '@outreach/http-api/validation';
import type { Principal } from '../platform/http/requests/index.js';

interface TokenFields {
  readonly permissions: readonly Permission[];
  readonly expires_at?: Date | null;
}

/** Returns an error for each permission that the caller's token lacks, and for an expiry that is over or after its own. */
export const tokenErrors: InputCheck<TokenFields> = ({ permissions = [], expires_at }, { context }) => ({
  ...permissionErrors(context.caller, permissions),
  ...expiryErrors(context.caller, context.scope.clock.now(), expires_at),
});

const permissionErrors = (caller: Principal, permissions: readonly (Permission | undefined)[]): FieldErrors =>
  Object.fromEntries(
    permissions.flatMap((permission, index) =>
      permission === undefined || caller.permissions.includes(permission)
        ? []
        : [[`permissions.${index}`, ['Your own token lacks this permission.']] as const],
    ),
  );

function expiryErrors(caller: Principal, now: Date, expiresAt: Date | null | undefined): FieldErrors {
  // The clock of the workspace may be ahead of the real time.
  if (expiresAt && expiresAt <= now) return { expires_at: ['expires_at must be in the future'] };
  if (!caller.expires_at || (expiresAt && expiresAt <= caller.expires_at)) return {};
  const latest = caller.expires_at.toISOString();
  return { expires_at: [`expires_at must be ${latest} or earlier, because your own token expires then`] };
}
