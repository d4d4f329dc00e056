/** Job keys are sandbox workspaces: their clocks are put forward. */
export const SANDBOX_CLOCKS = 'sandbox-clocks';

/** Job keys are sandbox workspaces: what follows after their messages is done. */
export const SANDBOX_REACTIONS = 'sandbox-reactions';
