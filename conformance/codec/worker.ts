import { parentPort, workerData } from 'node:worker_threads';
import { inspect } from 'node:util';
import {
  type Mistake,
  type Report,
  judgeCases,
  judgeOne,
} from '../../libs/proto/src/differential/cases.fixture.js';

interface Task {
  readonly seed: number;
  readonly count: number;
  readonly only?: string;
}

const { seed, count, only } = workerData as Task;
const report = only === undefined ? judgeCases(seed, count) : one(only);
// Nothing is handed over: the report is copied.
parentPort!.postMessage({ ...report, mistakes: report.mistakes.map(shown) }, []);

function one(place: string): Report {
  const [world = NaN, nth = NaN] = place.split('/').map(Number);
  return judgeOne(world, nth);
}

function shown({ world, case: nth, of, problem }: Mistake): object {
  const { input } = of;
  const text =
    input instanceof Uint8Array
      ? Buffer.from(input).toString('hex')
      : typeof input === 'string'
        ? input
        : inspect(input, { depth: 9 });
  const longest = only === undefined ? 500 : Infinity;
  return {
    place: `${world}/${nth}`,
    way: of.way,
    type: of.desc.typeName,
    problem,
    input: text.slice(0, longest),
  };
}
