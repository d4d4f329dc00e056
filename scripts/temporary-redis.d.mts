/** The options of a node. Its nodes talk on the second port. */
export function clusterOptions(busPort: number | string): string[];
/** Shares the slots among nodes, and waits until each knows where all are. */
export function joinCluster(nodes: readonly { readonly port: string; readonly busPort: string }[]): Promise<void>;
