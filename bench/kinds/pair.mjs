// What a call costs pino and us, by turns in one process, so that what disturbs one disturbs the other:
// `node pair.mjs <format> <kind, or mix> <slices> <who is first> <bundle>`.
import { setImmediate as turn } from 'node:timers/promises';
import { Discard } from '../logger/events.mjs';
import { KINDS } from './kinds.mjs';
import { inTurn, ourSide, pinoSide } from './sides.mjs';

/** The engine has to get to know each of the kinds. */
const WARM_MS = 250;
const WARM_MS_OF_MIX = 1_500;
const SLICE_MS = 25;
/** So many that to ask for the time of the processor takes no part of it. */
const CALLS_PER_TURN = 1_000;

const [format, name, slices, first, bundle] = process.argv.slice(2);
const kinds = name === 'mix' ? KINDS : KINDS.filter(({ kind }) => kind === name);
const sides = {
  pino: await sideOf(pinoSide),
  logx: await sideOf(ourSide),
};
const turns = first === 'pino' ? [sides.pino, sides.logx] : [sides.logx, sides.pino];

async function sideOf(open) {
  const discard = new Discard();
  const call = inTurn(kinds, await open(format, discard, bundle));
  return { discard, call, count: 0, slices: [] };
}

/** Microseconds of the processor a call, which a busy machine leaves as they are. */
async function costFor(side, ms) {
  const begun = process.cpuUsage();
  const from = side.count;
  let micros = 0;
  while (micros < ms * 1_000) {
    for (let i = 0; i < CALLS_PER_TURN; i++) side.call(side.count++);
    await turn();
    const { user, system } = process.cpuUsage(begun);
    micros = user + system;
  }
  return micros / (side.count - from);
}

for (const side of turns) await costFor(side, name === 'mix' ? WARM_MS_OF_MIX : WARM_MS);
for (let i = 0; i < Number(slices); i++) {
  for (const side of turns) side.slices.push(await costFor(side, SLICE_MS));
}
const lastOf = ({ discard, call }) => {
  call(7);
  return discard.last;
};
process.send({
  pino: { micros: sides.pino.slices, last: lastOf(sides.pino) },
  logx: { micros: sides.logx.slices, last: lastOf(sides.logx) },
});
