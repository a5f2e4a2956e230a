/** How often the cases repeat themselves that do; gRPC's description asks for 1,000 at once, and 10 in turn. */
export const COUNTS = { concurrent: 1_000, rpcSoak: 50, channelSoak: 20 };
