import type { CelNode } from '../check/cel-node.js';

/** How many entries a list or a map of the values is taken to have. */
const ASSUMED_ENTRIES = 100;

/** The parts of a node, in the order in which they are written. */
export function partsOf(node: CelNode): readonly CelNode[] {
  switch (node.kind) {
    case 'select':
      return [node.operand];
    case 'call':
      return node.args;
    case 'list':
      return node.elements;
    case 'map':
      return node.entries.flat();
    case 'message':
      return node.fields.map(({ value }) => value);
    case 'macro':
      return [node.range, node.test, node.step].filter((part) => part !== undefined);
    case 'definition':
      return [node.body];
    case 'constant':
    case 'variable':
    case 'local':
    case 'invalid':
      return [];
  }
}

/** The most steps that the evaluation takes, with lists and maps of the values of up to 100 entries. */
export function costOf(node: CelNode): number {
  if (node.kind === 'macro') {
    const body = [node.test, node.step].reduce((sum, part) => sum + (part ? costOf(part) : 0), 1);
    return costOf(node.range) + entriesOf(node.range) * body;
  }
  const own = node.kind === 'call' ? callCost(node.callee.name, node.args) : 1;
  return partsOf(node).reduce((sum, part) => sum + costOf(part), own);
}

function callCost(name: string, args: readonly CelNode[]): number {
  if (name === '@in') return args[1] === undefined ? 1 : entriesOf(args[1]);
  return name === 'matches' ? 10 : 1;
}

function entriesOf(node: CelNode): number {
  if (node.kind === 'list') return Math.max(1, node.elements.length);
  if (node.kind === 'map') return Math.max(1, node.entries.length);
  if (node.kind === 'macro' && node.step !== undefined) return entriesOf(node.range);
  return ASSUMED_ENTRIES;
}

/** The variables that are read, and the paths of fields that are. */
export function readsOf(root: CelNode): ReadonlySet<string> {
  const reads = new Set<string>();
  const visit = (node: CelNode): void => {
    for (let part = node; ; part = part.operand) {
      const path = readPathOf(part);
      if (path !== undefined) reads.add(path);
      if (part.kind !== 'select') break;
    }
    for (const part of partsOf(node)) visit(part);
  };
  visit(root);
  return reads;
}

/** `resource.customer` of a field of a variable, and of a field of that; undefined for anything else. */
export function readPathOf(node: CelNode): string | undefined {
  if (node.kind === 'variable') return node.name;
  if (node.kind !== 'select') return undefined;
  const operand = readPathOf(node.operand);
  return operand === undefined ? undefined : `${operand}.${node.field}`;
}

/** The definitions that are used, also those that others use. */
export function definitionsIn(root: CelNode): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: CelNode): void => {
    if (node.kind === 'definition') {
      if (names.has(node.name)) return;
      names.add(node.name);
    }
    for (const part of partsOf(node)) visit(part);
  };
  visit(root);
  return names;
}
