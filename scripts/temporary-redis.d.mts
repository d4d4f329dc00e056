/** The options of a node, which talks with the others on a port of its own. */
export function clusterOptions(busPort: number | string): string[];
/** Shares the slots among nodes, and waits until each knows where all are. */
export function joinCluster(nodes: readonly { readonly port: string; readonly busPort: string }[]): Promise<void>;
