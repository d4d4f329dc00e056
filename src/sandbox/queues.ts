/** Job keys are sandbox workspaces: their clocks are put forward. */
export const SANDBOX_CLOCKS = 'sandbox-clocks';
