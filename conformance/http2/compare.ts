import { type Difference, rowsFor } from './differences.js';
import { type Outcome, play } from './differential.js';
import { Facts } from './facts.js';
import { type Sequence, makeSequence } from './sequences.js';
import type { NodeServer } from './servers.js';
import { openOurs } from './servers.js';

/** What became of one sequence. */
export interface Verdict {
  readonly ours: Outcome;
  readonly theirs: Outcome;
  readonly rows: ReadonlySet<Difference>;
  /** What nothing accounts for. */
  readonly mistakes: readonly string[];
}

/** Pings in turn that a server answers, and nothing else, until it counts as done; and more where that is to be sure. */
const ROUNDS = 2;
const ROUNDS_TO_BE_SURE = 8;

/** Plays a sequence of a seed to both servers; again, and more slowly, where they differ without a reason. */
export async function judge(node: NodeServer, seed: number, nth: number): Promise<Verdict> {
  const sequence = makeSequence(seed, nth);
  const verdict = await compare(sequence, node, ROUNDS);
  return verdict.mistakes.length === 0 ? verdict : compare(sequence, node, ROUNDS_TO_BE_SURE);
}

export async function compare(
  sequence: Sequence,
  node: NodeServer,
  rounds: number,
): Promise<Verdict> {
  const ours = await play(sequence, openOurs, rounds);
  const theirs = await play(sequence, (wire) => node.open(wire), rounds);
  const rows = new Set<Difference>();
  const mistakes = [...ours.problems];
  const differing = differences(ours, theirs);
  if (differing.length > 0) {
    const facts = new Facts(sequence);
    for (const { stream, our, their } of differing) {
      const known = rowsFor(facts, stream, our, their);
      for (const row of known) rows.add(row);
      if (known.length > 0) continue;
      const what = stream === undefined ? 'the connection' : `stream ${stream}`;
      mistakes.push(
        `${what}: ours ${our}, theirs ${their}; ${ours.reason ?? 'open'}; ${facts.toString()}`,
      );
    }
  }
  return { ours, theirs, rows, mistakes };
}

interface Differing {
  readonly stream: number | undefined;
  readonly our: string;
  readonly their: string;
}

function differences(ours: Outcome, theirs: Outcome): Differing[] {
  if (!areSameEnds(ours.connection, theirs.connection)) {
    return [{ stream: undefined, our: ours.connection, their: theirs.connection }];
  }
  if (ours.connection !== 'open') return [];
  const ids = new Set([...ours.streams.keys(), ...theirs.streams.keys()]);
  const found = [...ids].flatMap((stream) => {
    const [our, their] = [ours, theirs].map((it) => it.streams.get(stream) ?? 'none');
    return areSameAnswers(our!, their!) ? [] : [{ stream, our: our!, their: their! }];
  });
  const hasChoice = [ours, theirs].some((it) => partsOf(it) > 1);
  if (found.length === 0 && !hasChoice && ours.sentBytes !== theirs.sentBytes) {
    return [
      { stream: undefined, our: `${ours.sentBytes} bytes`, their: `${theirs.sentBytes} bytes` },
    ];
  }
  return found;
}

/** node:http2 closes a connection with the code of an internal error, or with none, for many things. */
function areSameEnds(our: string, their: string): boolean {
  if (our === 'open' || their === 'open') return our === their;
  return our === their || their === 'goaway 2' || their === 'closed';
}

/** Which of several answers a full connection holds back is for the server. */
function areSameAnswers(our: string, their: string): boolean {
  const isPart = our.endsWith(' in part') || their.endsWith(' in part');
  return our === their || (isPart && our.startsWith('answer') && their.startsWith('answer'));
}

/** Answers of which windows hold the rest back. */
function partsOf({ streams }: Outcome): number {
  return [...streams.values()].filter((it) => it.endsWith(' in part')).length;
}
