import type { CelMistake, CelScope } from '../cel-scope.js';
import { CEL, celList, celMap, celMessage, formatCelType, type CelType } from '../cel-type.js';
import { CEL_FUNCTIONS } from '../functions/function-table.js';
import { fieldType } from '../values/read-field.js';
import type { CelNode, CelNodeKind } from './cel-node.js';
import { literalOf } from './literal.js';
import { macroShape, type MacroShape } from './macro-shape.js';
import { didYouMean, mistakeOfConstants, noField, notTaken, resultOf } from './overloads.js';
import { isMistake, mistakeAt, parseSource, selectionName } from './parse-source.js';
import type { ParsedExpression, ParsedKind as Kind, ParsedNode } from './parse-source.js';
import { Substitution } from './substitution.js';
import { CheckSession, type Local } from './check-session.js';
import { resolveName } from './resolve-name.js';

/** A whole expression, checked. */
export interface CheckedSource {
  /** Undefined: it does not parse. */
  readonly root: CelNode | undefined;
  readonly mistakes: readonly CelMistake[];
  /** How many variables of macros it has. */
  readonly slots: number;
}

/** Parses and checks an expression, with the definitions that it uses. */
export function checkSource(source: string, scope: CelScope): CheckedSource {
  const session = new CheckSession(scope);
  const root = checkOne(source, session, undefined);
  return { root, mistakes: session.mistakes, slots: session.slots };
}

function checkOne(
  source: string,
  session: CheckSession,
  definition: string | undefined,
): CelNode | undefined {
  const parsed = parseSource(source);
  if (isMistake(parsed)) {
    session.add(parsed, definition);
    return undefined;
  }
  return new ExpressionChecker(source, parsed, session, definition).run();
}

class ExpressionChecker {
  private readonly types = new Substitution();
  private readonly nodes: CelNode[] = [];

  constructor(
    private readonly source: string,
    private readonly parsed: ParsedExpression,
    private readonly session: CheckSession,
    private readonly definition: string | undefined,
  ) {}

  run(): CelNode {
    const root = this.check(this.parsed.root, undefined);
    for (const node of this.nodes) node.type = this.types.resolve(node.type, true);
    return root;
  }

  private check(node: ParsedNode, locals: Local | undefined): CelNode {
    const { exprKind } = node;
    switch (exprKind.case) {
      case 'constExpr':
        return this.constant(node, exprKind.value);
      case 'identExpr':
        return this.identifier(node, exprKind.value.name, locals);
      case 'selectExpr':
        return this.select(node, exprKind.value, locals);
      case 'callExpr':
        return this.call(node, exprKind.value, locals);
      case 'listExpr':
        return this.list(node, exprKind.value.elements, locals);
      case 'structExpr':
        return exprKind.value.messageName === ''
          ? this.map(node, exprKind.value, locals)
          : this.message(node, exprKind.value, locals);
      case 'comprehensionExpr': {
        const shape = macroShape(exprKind.value);
        if (shape !== undefined) return this.macro(node, shape, locals);
        break;
      }
      case undefined:
    }
    return this.invalid(node, 'this syntax is not supported');
  }

  private make(node: ParsedNode, type: CelType, kind: CelNodeKind): CelNode {
    const made: CelNode = { at: this.parsed.positionOf(node), type, ...kind };
    this.nodes.push(made);
    return made;
  }

  private mistake(node: { readonly id: bigint }, message: string): void {
    const at = this.parsed.positionOf(node);
    this.session.add(mistakeAt(this.source, at, message), this.definition);
  }

  private invalid(node: ParsedNode, message: string): CelNode {
    this.mistake(node, message);
    return this.make(node, CEL.dyn, { kind: 'invalid', message });
  }

  private constant(node: ParsedNode, constant: Kind<'constExpr'>): CelNode {
    const literal = literalOf(constant);
    return typeof literal === 'string'
      ? this.invalid(node, literal)
      : this.make(node, literal.type, { kind: 'constant', value: literal.value });
  }

  private identifier(node: ParsedNode, name: string, locals: Local | undefined): CelNode {
    const hint = (): string => didYouMean(name, this.session.knownNames(locals));
    return (
      this.named(node, name, locals) ?? this.invalid(node, `undeclared name "${name}"${hint()}`)
    );
  }

  /** What a name with or without dots is; undefined if it is nothing as a whole. */
  private named(node: ParsedNode, name: string, locals: Local | undefined): CelNode | undefined {
    const found = resolveName(name, locals, this.session, (source, definition) =>
      checkOne(source, this.session, definition),
    );
    if (typeof found === 'string') return this.invalid(node, found);
    return found && this.make(node, found.type, found.kind);
  }

  private select(node: ParsedNode, select: Kind<'selectExpr'>, locals: Local | undefined): CelNode {
    const { operand, field, testOnly } = select;
    const qualified = testOnly ? undefined : selectionName(node);
    const named = qualified === undefined ? undefined : this.named(node, qualified, locals);
    if (named !== undefined) return named;
    if (operand === undefined) return this.invalid(node, 'a selection without an operand');
    const checked = this.check(operand, locals);
    const type = this.fieldOf(node, this.types.resolve(checked.type), field);
    return this.make(node, testOnly ? CEL.bool : type, {
      kind: 'select',
      operand: checked,
      field,
      test: testOnly,
    });
  }

  private fieldOf(node: ParsedNode, type: CelType, name: string): CelType {
    if (type.kind === 'message') {
      const field = type.desc.fields.find((candidate) => candidate.name === name);
      if (field !== undefined) return fieldType(field);
      this.mistake(node, noField(type.desc, name));
    } else if (type.kind === 'map') {
      if (this.types.assignable([CEL.string], [type.key])) return type.value;
      this.mistake(node, `${formatCelType(type)} has no names as keys: "${name}"`);
    } else if (type.kind === 'param') {
      this.types.assignable([CEL.dyn], [type]);
    } else if (type.kind !== 'dyn') {
      this.mistake(node, `${formatCelType(type)} has no fields: "${name}"`);
    }
    return CEL.dyn;
  }

  private call(node: ParsedNode, call: Kind<'callExpr'>, locals: Local | undefined): CelNode {
    const parts = call.target === undefined ? call.args : [call.target, ...call.args];
    const callee = CEL_FUNCTIONS.get(call.function);
    if (callee === undefined) {
      const names = [...CEL_FUNCTIONS.keys()].filter((name) => /^\w+$/.test(name));
      for (const part of call.args) this.check(part, locals);
      const hint = didYouMean(call.function, names);
      return this.invalid(node, `undeclared function "${call.function}"${hint}`);
    }
    const args = parts.map((part) => this.check(part, locals));
    const given = args.map((arg) => arg.type);
    const type = resultOf(callee, call.target !== undefined, given, this.types);
    if (type === undefined) this.mistake(node, notTaken(callee, given, this.types));
    const constant = mistakeOfConstants(callee, args);
    if (constant !== undefined) this.mistake(node, constant);
    return this.make(node, type ?? CEL.dyn, { kind: 'call', callee, args });
  }

  private list(
    node: ParsedNode,
    elements: readonly ParsedNode[],
    locals: Local | undefined,
  ): CelNode {
    const checked = elements.map((element) => this.check(element, locals));
    const type = this.joined(checked);
    return this.make(node, celList(type), { kind: 'list', elements: checked });
  }

  private joined(nodes: readonly CelNode[]): CelType {
    return (
      nodes
        .map((node) => node.type)
        .reduce<CelType | undefined>(
          (joined, type) => (joined === undefined ? type : this.types.join(joined, type)),
          undefined,
        ) ?? this.types.fresh()
    );
  }

  private map(
    node: ParsedNode,
    { entries }: Kind<'structExpr'>,
    locals: Local | undefined,
  ): CelNode {
    const checked: (readonly [CelNode, CelNode])[] = [];
    for (const { keyKind, value } of entries) {
      if (keyKind.case !== 'mapKey' || value === undefined) continue;
      checked.push([this.check(keyKind.value, locals), this.check(value, locals)]);
    }
    const key = this.joined(checked.map(([key]) => key));
    const value = this.joined(checked.map(([, value]) => value));
    return this.make(node, celMap(key, value), { kind: 'map', entries: checked });
  }

  private message(
    node: ParsedNode,
    { messageName, entries }: Kind<'structExpr'>,
    locals: Local | undefined,
  ): CelNode {
    const desc = this.session.names.message(messageName);
    if (desc === undefined) return this.invalid(node, `"${messageName}" is not a message`);
    const fields = entries.flatMap(({ keyKind, value, id }) => {
      if (keyKind.case !== 'fieldKey' || value === undefined) return [];
      const checked = this.check(value, locals);
      const field = desc.fields.find((candidate) => candidate.name === keyKind.value);
      if (field === undefined) {
        this.mistake({ id }, noField(desc, keyKind.value));
        return [];
      }
      const wanted = fieldType(field);
      if (!this.types.assignable([checked.type], [wanted])) {
        const given = formatCelType(this.types.resolve(checked.type, true));
        this.mistake({ id }, `field "${field.name}" is ${formatCelType(wanted)}, not ${given}`);
      }
      return [{ field, value: checked }];
    });
    return this.make(node, celMessage(desc), { kind: 'message', desc, fields });
  }

  private macro(node: ParsedNode, shape: MacroShape, locals: Local | undefined): CelNode {
    const range = this.check(shape.range, locals);
    const slot = this.session.slots++;
    const type = this.elementOf(shape.range, this.types.resolve(range.type));
    const inner: Local = { name: shape.variable, slot, type, outer: locals };
    const test = shape.test && this.check(shape.test, inner);
    if (test !== undefined && !this.types.assignable([test.type], [CEL.bool])) {
      const given = formatCelType(this.types.resolve(test.type, true));
      this.mistake(shape.test ?? node, `the test of a macro must be a bool, not ${given}`);
    }
    const step = shape.step && this.check(shape.step, inner);
    const result = step === undefined ? CEL.bool : celList(step.type);
    return this.make(node, result, { kind: 'macro', macro: shape.macro, range, slot, test, step });
  }

  private elementOf(node: ParsedNode, range: CelType): CelType {
    if (range.kind === 'list') return range.element;
    if (range.kind === 'map') return range.key;
    if (range.kind === 'param') this.types.assignable([CEL.dyn], [range]);
    else if (range.kind !== 'dyn') {
      this.mistake(node, `a macro takes a list or a map, not ${formatCelType(range)}`);
    }
    return CEL.dyn;
  }
}
