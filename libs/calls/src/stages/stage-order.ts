import { type CallStage, Mistakes } from '@apix/contracts';
import { findCycle, reachable } from '@apix/contracts/internal';
import { StageOrderError } from '../errors.js';

/** The stages that every other one comes after, unless it says that it comes before them. */
const OUTERMOST = ['trace', 'log', 'authz'] as const;

/** The stage that decides who may call. */
const AUTHZ = 'authz';

/** Stages in the order in which a call meets them. */
export interface StageOrder {
  readonly stages: readonly CallStage[];
  /** Those that a call passes while its caller is not known yet. */
  readonly beforeAuthz: ReadonlySet<CallStage>;
}

/**
 * The stages in the order in which a call meets them: by what they say in `after` and `before`, those that
 * say nothing after `trace`, `log` and `authz`, and otherwise as they are given.
 *
 * @throws StageOrderError for two stages of one name, for a cycle, and for a value that is not a stage.
 */
export function orderStages(stages: readonly CallStage[]): CallStage[] {
  return [...stageOrder(stages).stages];
}

/** The same, with what is known of each place. @throws StageOrderError in the same cases. */
export function stageOrder(stages: readonly CallStage[]): StageOrder {
  const mistakes = stageMistakes(stages);
  if (mistakes.length > 0) throw new StageOrderError(mistakes);
  const edges = statedEdges(stages);
  const behind = (name: string): Iterable<string> => edges.get(name) ?? [];
  // None of the edges added below leads to one of these from another stage.
  const reversed = reversedEdges(edges);
  const before = OUTERMOST.map((outer) => [outer, namesBefore(outer, reversed)] as const);
  for (const { name } of stages) {
    for (const [outer, names] of before) if (!names.has(name)) addEdge(edges, outer, name);
  }
  const cycle = findCycle(edges.keys(), behind);
  if (cycle !== null) throw new StageOrderError([cycleText(cycle)]);
  const beforeAuthz = namesBefore(AUTHZ, reversedEdges(edges));
  return {
    stages: sorted(stages, edges),
    beforeAuthz: new Set(stages.filter(({ name }) => name !== AUTHZ && beforeAuthz.has(name))),
  };
}

/** Names of stages, each with those that a call passes after it. */
type Edges = Map<string, Set<string>>;

function statedEdges(stages: readonly CallStage[]): Edges {
  const edges: Edges = new Map();
  for (const { name, after = [], before = [] } of stages) {
    for (const first of after) addEdge(edges, first, name);
    for (const second of before) addEdge(edges, name, second);
  }
  for (const [i, second] of OUTERMOST.entries()) {
    if (i > 0) addEdge(edges, OUTERMOST[i - 1]!, second);
  }
  return edges;
}

function addEdge(edges: Edges, first: string, second: string): void {
  const seconds = edges.get(first);
  if (seconds === undefined) edges.set(first, new Set([second]));
  else seconds.add(second);
}

function reversedEdges(edges: Edges): Edges {
  const reversed: Edges = new Map();
  for (const [first, seconds] of edges) {
    for (const second of seconds) addEdge(reversed, second, first);
  }
  return reversed;
}

/** The name itself, and those of all stages that a call passes before it. */
function namesBefore(name: string, reversed: Edges): ReadonlySet<string> {
  return reachable(name, (one) => reversed.get(one) ?? []);
}

/** Each time the first stage that waits for no other; names without a stage hold their place. */
function sorted(stages: readonly CallStage[], edges: Edges): readonly CallStage[] {
  const indexOf = new Map(stages.map(({ name }, index) => [name, index]));
  const left = new Map<string, number>();
  for (const seconds of edges.values()) {
    for (const second of seconds) left.set(second, (left.get(second) ?? 0) + 1);
  }
  // Indexes of stages that wait for no other, the first one last.
  const free: number[] = [];
  const open = [...new Set([...indexOf.keys(), ...edges.keys()])].filter((name) => !left.has(name));
  const order: CallStage[] = [];
  for (;;) {
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      const index = indexOf.get(name);
      if (index === undefined) open.push(...passed(name, edges, left));
      else free.splice(placeOf(index, free), 0, index);
    }
    const first = free.pop();
    if (first === undefined) return order;
    order.push(stages[first]!);
    open.push(...passed(stages[first]!.name, edges, left));
  }
}

/** The names that wait for nothing more, now that a call has passed this one. */
function passed(name: string, edges: Edges, left: Map<string, number>): string[] {
  return [...(edges.get(name) ?? [])].filter((second) => {
    const waits = left.get(second)! - 1;
    left.set(second, waits);
    return waits === 0;
  });
}

/** Where a number belongs among falling ones. */
function placeOf(number: number, falling: readonly number[]): number {
  let low = 0;
  let high = falling.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (falling[middle]! > number) low = middle + 1;
    else high = middle;
  }
  return low;
}

function cycleText(cycle: readonly string[]): string {
  if (cycle.length === 1) return `the stage "${cycle[0]}" cannot come before or after itself`;
  const steps = cycle.map((name, i) => `"${name}" before "${cycle[(i + 1) % cycle.length]}"`);
  return `the stages cannot be put in order: ${steps.join(', ')}; remove one of these from after or before`;
}

/** What is wrong with the stages themselves, whatever their order. */
function stageMistakes(stages: readonly CallStage[]): readonly string[] {
  const mistakes = new Mistakes();
  const names = new Set<unknown>();
  for (const stage of stages) {
    const { name, after = [], before = [] } = stage;
    if (typeof name !== 'string' || name === '') {
      mistakes.add('name', 'a call stage must have a name that is a non-empty string');
      continue;
    }
    if (names.has(name)) {
      mistakes.add('', `two call stages are named "${name}"; give one of them another name`);
    }
    names.add(name);
    if (typeof stage.bind !== 'function')
      mistakes.add(`stage "${name}"`, 'bind must be a function');
    for (const [key, value] of Object.entries({ after, before })) {
      if (!isNameList(value)) mistakes.add(`stage "${name}"`, `${key} must be an array of names`);
    }
  }
  return mistakes.found;
}

function isNameList(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}
