import { SetMetadata } from '@nestjs/common';

/** What a request waits for: the address of a host that its body names, or a whole exchange with a server. */
export type NetworkWait = 'lookup' | 'connection';

/** Metadata key of the {@link NetworkWait} of a route. */
export const NETWORK_WAIT = Symbol('network wait');

/**
 * The route waits for a name server or another server, which may be silent until a timeout expires. Its requests take
 * places that the workspace has for them alone, and none of those that all workspaces share.
 */
export const WaitsForNetwork = (wait: NetworkWait): MethodDecorator => SetMetadata(NETWORK_WAIT, wait);
