import { type CallStage, findCycle, reaches } from '@apix/contracts';
import { StageOrderError } from '../errors.js';
import { stageMistakes } from './stage-mistakes.js';

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
 * The stages in the order in which a call meets them: by what they say in `after` and `before`,
 * those that say nothing after `trace`, `log` and `authz`, and otherwise as they are given.
 *
 * @throws StageOrderError for two stages of one name, for a cycle, and for what is not a stage.
 */
export function orderStages(stages: readonly CallStage[]): CallStage[] {
  return [...stageOrder(stages).stages];
}

/** The same, with what is known of each place. @throws as that does. */
export function stageOrder(stages: readonly CallStage[]): StageOrder {
  const mistakes = stageMistakes(stages);
  if (mistakes.length > 0) throw new StageOrderError(mistakes);
  const edges = statedEdges(stages);
  const behind = (name: string): Iterable<string> => edges.get(name) ?? [];
  for (const { name } of stages) {
    for (const outer of OUTERMOST) {
      if (!reaches(name, outer, behind)) addEdge(edges, outer, name);
    }
  }
  const cycle = findCycle(edges.keys(), behind);
  if (cycle !== null) throw new StageOrderError([cycleText(cycle)]);
  const isBefore = (first: CallStage, name: string): boolean =>
    first.name !== name && reaches(first.name, name, behind);
  return {
    stages: sorted(stages, isBefore),
    beforeAuthz: new Set(stages.filter((stage) => isBefore(stage, AUTHZ))),
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

/** Each time the first stage that waits for no other; names without a stage hold their place. */
function sorted(
  stages: readonly CallStage[],
  isBefore: (first: CallStage, name: string) => boolean,
): readonly CallStage[] {
  const left = [...stages];
  const order: CallStage[] = [];
  while (left.length > 0) {
    const free = left.findIndex(({ name }) => !left.some((other) => isBefore(other, name)));
    order.push(...left.splice(free, 1));
  }
  return order;
}

function cycleText(cycle: readonly string[]): string {
  if (cycle.length === 1) return `the stage "${cycle[0]}" cannot come before or after itself`;
  const steps = cycle.map((name, i) => `"${name}" before "${cycle[(i + 1) % cycle.length]}"`);
  return `the stages cannot be put in order: ${steps.join(', ')}; remove one of these from after or before`;
}
