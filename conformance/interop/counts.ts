import { parseArgs } from 'node:util';

/** `--only <case>`: one case alone; `--quick`: fewer calls in the cases that make many. */
export const { values: ASKED } = parseArgs({
  options: { only: { type: 'string' }, quick: { type: 'boolean', default: false } },
});

/** How many calls the cases make that make many; gRPC's description asks for 1,000 at once. */
export const COUNTS = ASKED.quick
  ? { concurrent: 50, rpcSoak: 10, channelSoak: 5 }
  : { concurrent: 1_000, rpcSoak: 200, channelSoak: 50 };
