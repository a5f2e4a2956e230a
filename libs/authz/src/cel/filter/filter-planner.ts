import { CelError } from '../cel-error.js';
import { formatCelType } from '../cel-type.js';
import type { CelMacroNode, CelNode } from '../check/cel-node.js';
import type { Compiler } from '../compile/compiler.js';
import type { EvaluatePart, EvaluationFrame } from '../compile/frame.js';
import { readsOf } from '../compile/measure.js';
import { isCelMap } from '../values/cel-value.js';
import { COMPARABLE, compareField, valueKind } from './field-comparison.js';
import type { FieldTest, FilterOperator, RecordField, RecordFilter } from './record-filter.js';

/** Makes the filter once the values are known. */
type PlanPart = (frame: EvaluationFrame) => RecordFilter;

type AddMistake = (at: number, message: string, definition: string | undefined) => void;

type CallNode = Extract<CelNode, { readonly kind: 'call' }>;

/** The operator with its sides exchanged. */
const EXCHANGED: Readonly<Record<FilterOperator, FilterOperator>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

const LISTED: ReadonlySet<string> = new Set(['string', 'int', 'bool']);

/** Goes over a condition once, at compile time, and adds a mistake for each part that no filter can say. */
export class FilterPlanner {
  readonly fields = new Set<string>();

  constructor(
    private readonly compiler: Compiler,
    private readonly record: string,
    private readonly addMistake: AddMistake,
  ) {}

  plan(node: CelNode, definition: string | undefined): PlanPart {
    if (!this.isUnknown(node)) return known(this.compiler.compile(node));
    if (node.kind === 'definition') return this.plan(node.body, node.name);
    if (node.kind === 'call') return this.call(node, definition);
    if (node.kind === 'macro') return this.macro(node, definition);
    if (node.kind !== 'select') return this.refuse(node, definition);
    return node.test ? this.presence(node, definition) : this.bare(node, definition);
  }

  private isUnknown(node: CelNode): boolean {
    return readsOf(node).has(this.record);
  }

  private refuse(node: CelNode, definition: string | undefined, why?: string): PlanPart {
    const message =
      why ?? 'this cannot become a filter: compare a field of the record with what is known';
    this.addMistake(node.at, message, definition);
    return () => ({ kind: 'error' });
  }

  private field(node: CelNode): RecordField | undefined {
    const field = this.compiler.fieldOf(node, this.record);
    if (field !== undefined) this.fields.add(field.path);
    return field;
  }

  /** A bool of the record by itself. */
  private bare(node: CelNode, definition: string | undefined): PlanPart {
    const field = this.field(node);
    if (field === undefined || valueKind(field) !== 'bool') return this.refuse(node, definition);
    // A wrapper that is null is no bool: an error, as it is for an order, and not false.
    const test = compareField(field, field.type.kind === 'wrapper' ? '>=' : '==', true);
    return () => test;
  }

  private presence(
    node: Extract<CelNode, { readonly kind: 'select' }>,
    definition: string | undefined,
  ): PlanPart {
    const field = this.field(node);
    if (field === undefined) return this.refuse(node, definition);
    if (field.type.kind === 'map') {
      return this.refuse(node, definition, 'whether a map has entries cannot become a filter');
    }
    if (!field.hasPresence && field.type.kind !== 'list') {
      // Set is then what is not the default; a double may be -0.0, which databases take for 0.
      if (field.type.kind === 'double') return this.refuse(node, definition);
      const test = compareField(field, '!=', field.unset);
      return () => test;
    }
    const test: RecordFilter = { kind: 'isSet', field };
    return () => test;
  }

  private call(node: CallNode, definition: string | undefined): PlanPart {
    const [a, b, c] = node.args;
    const { name } = node.callee;
    if (a === undefined) return this.refuse(node, definition);
    if (name === '!_') {
      const part = this.plan(a, definition);
      return (frame) => negated(part(frame));
    }
    if (b === undefined) return this.refuse(node, definition);
    switch (name) {
      case '_&&_':
      case '_||_': {
        const kind = name === '_&&_' ? 'and' : 'or';
        const parts = [this.plan(a, definition), this.plan(b, definition)];
        return (frame) =>
          joined(
            kind,
            parts.map((part) => part(frame)),
          );
      }
      case '_?_:_': {
        const [test, yes] = [this.plan(a, definition), this.plan(b, definition)];
        const no = c === undefined ? this.refuse(node, definition) : this.plan(c, definition);
        return (frame) =>
          choice(
            test(frame),
            () => yes(frame),
            () => no(frame),
          );
      }
      case '_==_':
      case '_!=_':
      case '_<_':
      case '_<=_':
      case '_>_':
      case '_>=_':
        return this.comparison(
          node,
          [a, b],
          name.replaceAll('_', '') as FilterOperator,
          definition,
        );
      case '@in':
        return this.membership(node, [a, b], definition);
      case 'contains':
      case 'startsWith':
      case 'endsWith':
        return this.text(node, name, [a, b], definition);
      default:
        return this.refuse(node, definition);
    }
  }

  private comparison(
    node: CallNode,
    [a, b]: readonly [CelNode, CelNode],
    operator: FilterOperator,
    definition: string | undefined,
  ): PlanPart {
    const exchanged = this.isUnknown(b);
    const field = this.field(exchanged ? b : a);
    const other = exchanged ? a : b;
    if (field === undefined || this.isUnknown(other)) return this.refuse(node, definition);
    if (!COMPARABLE.has(valueKind(field))) {
      const type = formatCelType(field.type);
      return this.refuse(
        node,
        definition,
        `a field of type ${type} cannot be compared in a filter`,
      );
    }
    const as = exchanged ? EXCHANGED[operator] : operator;
    return withValue(this.compiler.compile(other), (value) => compareField(field, as, value));
  }

  private membership(
    node: CallNode,
    [a, b]: readonly [CelNode, CelNode],
    definition: string | undefined,
  ): PlanPart {
    if (!this.isUnknown(b)) {
      const field = this.field(a);
      if (field === undefined || !COMPARABLE.has(valueKind(field)))
        return this.refuse(node, definition);
      return withValue(this.compiler.compile(b), (list) => amongValues(field, list));
    }
    const field = this.field(b);
    if (field?.type.kind !== 'list' || this.isUnknown(a)) return this.refuse(node, definition);
    const element = field.type.element.kind;
    if (!LISTED.has(element)) {
      return this.refuse(node, definition, `a list of ${element} cannot be searched in a filter`);
    }
    return withValue(this.compiler.compile(a), (value) => {
      const test = compareField(
        { ...field, type: { kind: element } as RecordField['type'] },
        '==',
        value,
      );
      return test.kind === 'compare' ? { kind: 'includes', field, value: test.value } : test;
    });
  }

  private text(
    node: CallNode,
    kind: 'contains' | 'startsWith' | 'endsWith',
    [a, b]: readonly [CelNode, CelNode],
    definition: string | undefined,
  ): PlanPart {
    const field = this.field(a);
    if (field === undefined || valueKind(field) !== 'string' || this.isUnknown(b)) {
      return this.refuse(node, definition);
    }
    return withValue(this.compiler.compile(b), (value) =>
      typeof value === 'string' ? { kind, field, value } : { kind: 'error' },
    );
  }

  /** `all` and `exists` over what is known: a filter for each element. */
  private macro(node: CelMacroNode & CelNode, definition: string | undefined): PlanPart {
    const { macro, range, slot, test } = node;
    const quantified = macro === 'all' || macro === 'exists';
    if (!quantified || test === undefined || this.isUnknown(range))
      return this.refuse(node, definition);
    const part = this.plan(test, definition);
    const kind = macro === 'all' ? 'and' : 'or';
    const rangeOf = this.compiler.compile(range);
    return (frame) => {
      const value = rangeOf(frame);
      const elements = isCelMap(value) ? [...value.keys()] : value;
      if (!Array.isArray(elements) || frame.step(elements.length) !== undefined)
        return { kind: 'error' };
      return joined(
        kind,
        elements.map((element: unknown) => {
          frame.locals[slot] = element;
          return part(frame);
        }),
      );
    };
  }
}

function known(evaluate: EvaluatePart): PlanPart {
  return (frame) => {
    const value = evaluate(frame);
    if (typeof value !== 'boolean') return { kind: 'error' };
    return { kind: value ? 'everything' : 'nothing' };
  };
}

function withValue(evaluate: EvaluatePart, make: (value: unknown) => RecordFilter): PlanPart {
  return (frame) => {
    const value = evaluate(frame);
    return value instanceof CelError ? { kind: 'error' } : make(value);
  };
}

/** The field is one of the elements, or one of the keys of a map. */
function amongValues(field: RecordField, list: unknown): RecordFilter {
  const elements: unknown = isCelMap(list) ? [...list.keys()] : list;
  if (!Array.isArray(elements)) return { kind: 'error' };
  const tests = elements.map((element) => compareField(field, '==', element));
  const compared = tests.filter(
    (test): test is Extract<FieldTest, { readonly kind: 'compare' }> => test.kind === 'compare',
  );
  const values = compared.map(({ value }) => value).filter((value) => value !== null);
  const nulls = compared.filter(({ value }) => value === null);
  return joined('or', [
    ...(values.length > 0 ? [{ kind: 'in' as const, field, values }] : []),
    ...nulls.slice(0, 1),
  ]);
}

function choice(test: RecordFilter, yes: () => RecordFilter, no: () => RecordFilter): RecordFilter {
  if (test.kind === 'error') return test;
  if (test.kind === 'everything') return yes();
  return test.kind === 'nothing' ? no() : { kind: 'choice', test, yes: yes(), no: no() };
}

function negated(filter: RecordFilter): RecordFilter {
  if (filter.kind === 'everything') return { kind: 'nothing' };
  if (filter.kind === 'nothing') return { kind: 'everything' };
  if (filter.kind === 'not') return filter.part;
  return filter.kind === 'error' ? filter : { kind: 'not', part: filter };
}

function joined(kind: 'and' | 'or', parts: readonly RecordFilter[]): RecordFilter {
  const [decisive, neutral] =
    kind === 'and' ? ['nothing', 'everything'] : ['everything', 'nothing'];
  const kept: RecordFilter[] = [];
  for (const part of parts) {
    if (part.kind === decisive) return part;
    if (part.kind === kind) kept.push(...part.parts);
    else if (part.kind !== neutral) kept.push(part);
  }
  const [only] = kept;
  if (only === undefined) return { kind: kind === 'and' ? 'everything' : 'nothing' };
  return kept.length === 1 ? only : { kind, parts: kept };
}
