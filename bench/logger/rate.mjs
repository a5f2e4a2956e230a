// How often a second of the processor a subject of calls.mjs can be called: `node rate.mjs <group> <who> <bundle>`.
import { setImmediate as turn } from 'node:timers/promises';
import { CALLS } from './calls.mjs';
import { Discard } from './events.mjs';

const WARM_MS = 150;
const MEASURED_MS = 300;
const CALLS_PER_TURN = 1_000;

const [group, who, bundle] = process.argv.slice(2);
const discard = new Discard();
const { open } = CALLS.find(({ what }) => what === group).who[who];
const call = await open({ discard, bundle });

let made;
/** By the time of the processor, which a busy machine leaves as it is. */
async function rateFor(ms) {
  const begun = process.cpuUsage();
  let count = 0;
  let seconds = 0;
  while (seconds < ms / 1_000) {
    for (let i = 0; i < CALLS_PER_TURN; i++) made = call(count++);
    await turn();
    const { user, system } = process.cpuUsage(begun);
    seconds = (user + system) / 1e6;
  }
  return count / seconds;
}

await rateFor(WARM_MS);
const perSecond = await rateFor(MEASURED_MS);
discard.bytes = 0;
made = call(7);
process.send({ perSecond, bytes: discard.bytes, last: discard.last, made: typeof made });
