import { CelError } from '../cel-error.js';
import type { CelScope } from '../cel-scope.js';
import type { CelMacroNode, CelNode } from '../check/cel-node.js';
import { TypeNames } from '../check/type-names.js';
import { compilePattern } from '../functions/text.js';
import { adopter } from '../values/adopt.js';
import { EntryMap, mapKey, noSuchOverload, type MapKey } from '../values/cel-value.js';
import { FieldReaders, type CelFieldReader } from '../values/read-field.js';
import { recordField, type RecordField } from '../filter/record-filter.js';
import { DynamicValues } from '../values/read-value.js';
import { DynamicAccess, indexOf } from './access.js';
import { construct } from './construct.js';
import { equality, membership } from './equality.js';
import type { EvaluatePart } from './frame.js';
import { and, conditional, not, or } from './logic.js';
import { macro } from './macros.js';

type Of<K extends CelNode['kind']> = Extract<CelNode, { readonly kind: K }>;

/** Makes closures of checked expressions. */
export class Compiler {
  private readonly names: TypeNames;
  private readonly dynamic: DynamicValues;
  private readonly readers: FieldReaders;
  private readonly access: DynamicAccess;
  private readonly definitions = new Map<CelNode, EvaluatePart>();

  constructor(private readonly scope: CelScope) {
    this.names = new TypeNames(scope);
    this.dynamic = new DynamicValues(this.names.findMessage);
    this.readers = new FieldReaders(this.dynamic);
    this.access = new DynamicAccess(this.names.findMessage, this.readers);
  }

  compile(node: CelNode): EvaluatePart {
    switch (node.kind) {
      case 'constant': {
        const { value } = node;
        return () => value;
      }
      case 'variable':
        return this.variable(node);
      case 'local': {
        const { slot } = node;
        return (frame) => frame.locals[slot];
      }
      case 'definition':
        return this.definition(node.body);
      case 'select':
        return this.select(node);
      case 'call':
        return this.call(node);
      case 'list':
        return this.list(node);
      case 'map':
        return this.map(node);
      case 'message':
        return this.message(node);
      case 'macro':
        return this.macro(node);
      case 'invalid': {
        const error = new CelError(node.message);
        return () => error;
      }
    }
  }

  /** The field of a message variable that a selection is, or a field of a message in it; undefined for all else. */
  fieldOf(node: CelNode, variable: string): RecordField | undefined {
    const readers: CelFieldReader[] = [];
    const path: string[] = [];
    let part = node;
    while (part.kind === 'select') {
      const { operand, field } = part;
      const reader =
        operand.type.kind === 'message' ? this.readers.of(operand.type.desc, field) : undefined;
      if (reader === undefined) return undefined;
      readers.unshift(reader);
      path.unshift(field);
      part = operand;
    }
    const { type } = part;
    if (part.kind !== 'variable' || part.name !== variable || type.kind !== 'message')
      return undefined;
    return path.length === 0 ? undefined : recordField(type.desc, path, readers);
  }

  private variable({ name }: Of<'variable'>): EvaluatePart {
    const type = this.scope.variables.get(name);
    const adopt = type === undefined ? this.dynamic.toValue : adopter(type, this.dynamic);
    const missing = new CelError(`there is no value for "${name}"`);
    return ({ values }) => {
      const raw = values[name];
      return raw === undefined ? missing : adopt(raw);
    };
  }

  private definition(body: CelNode): EvaluatePart {
    let compiled = this.definitions.get(body);
    if (compiled === undefined) {
      compiled = this.compile(body);
      this.definitions.set(body, compiled);
    }
    return compiled;
  }

  private select({ operand, field, test }: Of<'select'>): EvaluatePart {
    const of = this.compile(operand);
    const reader =
      operand.type.kind === 'message' ? this.readers.of(operand.type.desc, field) : undefined;
    const { access } = this;
    let read: (value: unknown) => unknown;
    if (reader === undefined) {
      read = test ? (value) => access.has(value, field) : (value) => access.select(value, field);
    } else {
      read = test ? reader.isSet : reader.read;
    }
    const isList = reader?.type.kind === 'list' && !test;
    return (frame) => {
      const value = of(frame);
      if (value instanceof CelError) return value;
      const part = read(value);
      // Elements of a list may have to be converted, at each read.
      return isList && Array.isArray(part) ? (frame.step(part.length) ?? part) : part;
    };
  }

  private call(node: Of<'call'>): EvaluatePart {
    const { callee, args } = node;
    const [a = NOTHING, b = NOTHING, c = NOTHING] = args.map((arg) => this.compile(arg));
    const [first, second] = args;
    const find = this.names.findMessage;
    switch (callee.name) {
      case '_&&_':
        return and(a, b);
      case '_||_':
        return or(a, b);
      case '!_':
        return not(a);
      case '_?_:_':
        return conditional(a, b, c);
      case '@in':
        return membership(a, b, find);
      case '_[_]':
        return strict2(a, b, indexOf);
      case '_==_':
      case '_!=_':
        if (first === undefined || second === undefined) return NOTHING;
        return equality([first, a], [second, b], callee.name === '_==_', find);
      case 'matches':
        if (second?.kind === 'constant' && typeof second.value === 'string') {
          return matching(a, second.value);
        }
        break;
      default:
    }
    const { run } = callee;
    if (run === undefined) return () => new CelError(`${callee.name} cannot be called`);
    const evaluate =
      args.length === 1
        ? strict1(a, run)
        : args.length === 2
          ? strict2(a, b, run)
          : strictAll([a, b, c].slice(0, args.length), run);
    return args.every((arg) => arg.kind === 'constant') ? constantly(evaluate) : evaluate;
  }

  private list({ elements }: Of<'list'>): EvaluatePart {
    const compiled = elements.map((element) => this.compile(element));
    const evaluate: EvaluatePart = (frame) => {
      const list: unknown[] = [];
      for (const element of compiled) {
        const value = element(frame);
        if (value instanceof CelError) return value;
        list.push(value);
      }
      return list;
    };
    return elements.every((element) => element.kind === 'constant')
      ? constantly(evaluate)
      : evaluate;
  }

  private map({ entries }: Of<'map'>): EvaluatePart {
    const compiled = entries.map(
      ([key, value]) => [this.compile(key), this.compile(value)] as const,
    );
    return (frame) => {
      const made = new Map<MapKey, readonly [unknown, unknown]>();
      for (const [keyOf, valueOf] of compiled) {
        const key = keyOf(frame);
        if (key instanceof CelError) return key;
        const value = valueOf(frame);
        if (value instanceof CelError) return value;
        const as = typeof key === 'number' ? undefined : mapKey(key);
        if (as === undefined) return noSuchOverload('a key of a map', key);
        if (made.has(as)) return new CelError(`the key ${String(as).slice(0, 64)} occurs twice`);
        made.set(as, [key, value]);
      }
      return new EntryMap(made);
    };
  }

  private message({ desc, fields }: Of<'message'>): EvaluatePart {
    const compiled = fields.map(({ field, value }) => [field, this.compile(value)] as const);
    return (frame) => {
      const values: (readonly [(typeof compiled)[number][0], unknown])[] = [];
      for (const [field, valueOf] of compiled) {
        const value = valueOf(frame);
        if (value instanceof CelError) return value;
        values.push([field, value]);
      }
      const made = construct(desc, values, this.names.findMessage);
      return made instanceof CelError ? made : this.dynamic.toValue(made);
    };
  }

  private macro(node: CelMacroNode): EvaluatePart {
    return macro({
      macro: node.macro,
      range: this.compile(node.range),
      slot: node.slot,
      test: node.test && this.compile(node.test),
      step: node.step && this.compile(node.step),
    });
  }
}

type Run = (a: unknown, b: unknown, c: unknown) => unknown;

const NOTHING: EvaluatePart = () => new CelError('an argument is missing');

function strict1(a: EvaluatePart, run: Run): EvaluatePart {
  return (frame) => {
    const x = a(frame);
    return x instanceof CelError ? x : run(x, undefined, undefined);
  };
}

function strict2(a: EvaluatePart, b: EvaluatePart, run: Run): EvaluatePart {
  return (frame) => {
    const x = a(frame);
    if (x instanceof CelError) return x;
    const y = b(frame);
    return y instanceof CelError ? y : run(x, y, undefined);
  };
}

function strictAll(args: readonly EvaluatePart[], run: Run): EvaluatePart {
  return (frame) => {
    const values: unknown[] = [];
    for (const arg of args) {
      const value = arg(frame);
      if (value instanceof CelError) return value;
      values.push(value);
    }
    return run(values[0], values[1], values[2]);
  };
}

/** What reads nothing is computed once. */
function constantly(evaluate: EvaluatePart): EvaluatePart {
  let known: unknown;
  return (frame) => (known ??= evaluate(frame));
}

function matching(a: EvaluatePart, source: string): EvaluatePart {
  const pattern = compilePattern(source);
  return (frame) => {
    const text = a(frame);
    if (text instanceof CelError) return text;
    if (typeof text !== 'string') return noSuchOverload('matches', text, source);
    return pattern instanceof CelError ? pattern : pattern.test(text);
  };
}
