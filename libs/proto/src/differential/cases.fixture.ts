import type { DescMessage, Message } from '@bufbuild/protobuf';
import { Dice } from './dice.fixture.js';
import { type Case, type Verdict, judge } from './judge.fixture.js';
import { RandomJson } from './random-json.fixture.js';
import { RandomMessages } from './random-messages.fixture.js';
import { type World, randomTypes } from './random-types.fixture.js';
import { RandomWire } from './random-wire.fixture.js';
import { type Sides, type Way, sidesOf } from './ways.fixture.js';

/** Before other types are drawn. */
const CASES_PER_WORLD = 1_000;

/** What one side reads and the other does not shows only where some of the documents are wrong. */
const SHARES_OF_FAULTS = [0, 0, 0.01, 0.05, 0.2];

export interface Mistake {
  readonly world: number;
  readonly case: number;
  readonly of: Case;
  readonly problem: string;
}

export interface Report {
  readonly cases: number;
  /** How often each verdict was reached, by way. */
  readonly verdicts: ReadonlyMap<string, number>;
  readonly refusals: ReadonlyMap<string, number>;
  readonly mistakes: readonly Mistake[];
}

/** Judges so many cases; a seed always makes the same ones. */
export function judgeCases(seed: number, count: number, mostMistakes = 20): Report {
  const tally = new Tally();
  for (let at = 0; tally.cases < count && tally.mistakes.length < mostMistakes; at++) {
    const world = new Cases(seed * 1_000_003 + at);
    for (let nth = 0; nth < CASES_PER_WORLD && tally.cases < count; nth++) tally.judge(world, nth);
  }
  return tally;
}

/** One case again, by the numbers that a mistake has. */
export function judgeOne(world: number, nth: number): Report {
  const tally = new Tally();
  tally.judge(new Cases(world), nth);
  return tally;
}

class Tally implements Report {
  cases = 0;
  readonly verdicts = new Map<string, number>();
  readonly refusals = new Map<string, number>();
  readonly mistakes: Mistake[] = [];

  judge(world: Cases, nth: number): void {
    const one = world.case(nth);
    const verdict = world.judge(one, nth);
    this.cases++;
    add(this.verdicts, `${one.way}: ${verdict.kind}`);
    if (verdict.kind === 'refusal') add(this.refusals, verdict.name);
    if (verdict.kind !== 'wrong') return;
    this.mistakes.push({ world: world.seed, case: nth, of: one, problem: verdict.problem });
  }
}

/** The cases of one set of types; each can be made again alone, by its number. */
class Cases {
  readonly world: World;
  readonly #sides: readonly [Sides, Sides, Sides];
  readonly #own: readonly DescMessage[];

  constructor(readonly seed: number) {
    this.world = randomTypes(new Dice(seed));
    const { registry } = this.world;
    this.#sides = [
      sidesOf(registry),
      sidesOf(registry, { ignoresUnknown: true }),
      sidesOf(registry, { writesAll: true }),
    ];
    this.#own = this.world.messages.filter(({ typeName }) => typeName.startsWith('odd.'));
  }

  case(nth: number): Case {
    const dice = new Dice(Math.imul(this.seed, 7_919) + nth);
    const way = dice.pick(WAYS);
    const desc = dice.pick(dice.chance(0.85) ? this.#own : this.world.messages);
    return { way, desc, input: this.#input(way, desc, dice) };
  }

  judge(one: Case, nth: number): Verdict {
    const [strict, lenient, explicit] = this.#sides;
    if (nth % 5 > 1) return judge(one, strict);
    return judge(one, nth % 5 === 0 ? lenient : explicit);
  }

  #input(way: Way, desc: DescMessage, dice: Dice): string | Uint8Array | Message {
    const { world } = this;
    switch (way) {
      case 'readJson':
      case 'jsonToWire':
        return new RandomJson(dice, world).text(desc, dice.pick(SHARES_OF_FAULTS));
      case 'readWire':
        return new RandomWire(dice, world).message(desc, 0.3);
      case 'wireToJson':
        return new RandomWire(dice, world).message(desc, 0.1);
      case 'writeJson':
      case 'writeWire':
      case 'transfer':
        return new RandomMessages(dice, world, dice.chance(0.9)).message(desc);
    }
  }
}

const WAYS: readonly Way[] = [
  ...(['readJson', 'jsonToWire', 'readWire', 'wireToJson'] as const),
  ...(['writeJson', 'writeWire', 'transfer'] as const),
];

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
