import type { CallStage } from '@apix/contracts';
import { StageOrderError } from '../errors.js';
import { describedCycle, findCycle } from './cycle.js';
import { stageMistakes } from './stage-mistakes.js';

/** The stages that every other one comes after, unless it says that it comes before them. */
const OUTERMOST = ['trace', 'log', 'authz'] as const;

/** The stage that decides who may call. */
const AUTHZ = 'authz';

/** Names of stages, each with those that a call passes directly after it. */
type Edges = Map<string, Set<string>>;

/**
 * The stages in the order in which a call meets them: by what they say in `after` and `before`,
 * those that say nothing after `trace`, `log` and `authz`, and otherwise as they are given.
 *
 * @throws StageOrderError for two stages of one name, for a cycle, and for what is not a stage.
 */
export function orderStages(stages: readonly CallStage[]): CallStage[] {
  const mistakes = stageMistakes(stages);
  if (mistakes.length > 0) throw new StageOrderError(mistakes);
  const edges = edgesOf(stages);
  const cycle = findCycle(edges);
  if (cycle !== null) throw new StageOrderError([describedCycle(cycle)]);
  return sorted(stages, edges);
}

/** Whether a call passes the stage before `authz`, so that its caller is not known yet. */
export function isBeforeAuthz(stages: readonly CallStage[], stage: CallStage): boolean {
  return stage.name !== AUTHZ && reaches(edgesOf(stages), stage.name, AUTHZ);
}

function edgesOf(stages: readonly CallStage[]): Edges {
  const edges: Edges = new Map();
  const add = (first: string, second: string): void => {
    const seconds = edges.get(first);
    if (seconds === undefined) edges.set(first, new Set([second]));
    else seconds.add(second);
  };
  for (const { name, after = [], before = [] } of stages) {
    for (const first of after) add(first, name);
    for (const second of before) add(name, second);
  }
  for (const [i, second] of OUTERMOST.entries()) {
    if (i > 0) add(OUTERMOST[i - 1]!, second);
  }
  for (const { name } of stages) {
    for (const outer of OUTERMOST) {
      if (name !== outer && !reaches(edges, name, outer)) add(outer, name);
    }
  }
  return edges;
}

function reaches(edges: Edges, from: string, to: string): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    for (const next of edges.get(name) ?? []) {
      if (next === to) return true;
      if (!seen.has(next)) open.push(next);
      seen.add(next);
    }
  }
  return false;
}

/** Each time the first stage that waits for no other; names without a stage hold their place. */
function sorted(stages: readonly CallStage[], edges: Edges): CallStage[] {
  const left = [...stages];
  const order: CallStage[] = [];
  while (left.length > 0) {
    const free = left.findIndex((stage) =>
      left.every((other) => other === stage || !reaches(edges, other.name, stage.name)),
    );
    order.push(...left.splice(free, 1));
  }
  return order;
}
