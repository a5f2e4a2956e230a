import { findCycle } from '@apix/contracts/internal';
import { registrationChain } from './registration-chain.js';

/** The part of a registration that decides its place. */
export interface OrderEntry {
  readonly name: string;
  readonly after?: readonly string[] | undefined;
  readonly tier: 'service' | 'transport';
}

/**
 * For each entry the indexes of those that must be ready first. The one index after the last entry is not
 * an entry but a gate, which is open once all services are ready.
 */
export type StartOrder = readonly (readonly number[])[];

/**
 * Decides what each entry waits for; transports must come after all services. Stated waits come first:
 * `after`, and every transport after every service. An entry without `after` waits for all entries of its
 * tier registered before it, except those that wait for it. Waits that follow from others are left out, so
 * that their number grows only with that of the entries.
 *
 * Adds to `mistakes` which names are unknown and which stated waits form a cycle.
 */
export function startOrder(entries: readonly OrderEntry[], mistakes: string[]): StartOrder {
  const gate = entries.length;
  const indexOf = new Map(entries.map((entry, index) => [entry.name, index]));
  const stated = entries.map((entry) => {
    const waits = new Set<number>();
    for (const name of entry.after ?? []) {
      const index = indexOf.get(name);
      if (index !== undefined) waits.add(index);
      else mistakes.push(`service ${entry.name}: after: there is no service ${name}`);
    }
    if (entry.tier === 'transport') waits.add(gate);
    return [...waits];
  });
  const services = entries.filter(({ tier }) => tier === 'service').length;
  const order = [...stated, Array.from({ length: services }, (_, index) => index)];

  const cycles = separateCycles(order, gate);
  for (const cycle of cycles) {
    const names = [...cycle, cycle[0]!].map((index) => entries[index]!.name).join(' → ');
    mistakes.push(`services wait for each other: ${names}; a transport waits for every service`);
  }
  if (cycles.length > 0) return order;
  const isChained = (index: number): boolean => entries[index]!.after === undefined;
  const tiers = [
    [0, services],
    [services, gate],
  ] as const;
  const chains = tiers.flatMap((tier) => registrationChain(stated, isChained, tier));
  for (const [index, waitsFor] of chains) order[index]!.push(waitsFor);
  return order;
}

/** All cycles that share no entry with another one, without the gate. */
function separateCycles(order: StartOrder, gate: number): readonly (readonly number[])[] {
  const cycles: (readonly number[])[] = [];
  const told = new Set<number>();
  const untold = (index: number): boolean => !told.has(index);
  for (;;) {
    const cycle = findCycle([...order.keys()].filter(untold), (index) =>
      order[index]!.filter(untold),
    );
    if (cycle === null) return cycles;
    const around = cycle.filter((index) => index !== gate);
    cycles.push(around);
    for (const index of around) told.add(index);
  }
}
