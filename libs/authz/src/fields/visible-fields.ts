import type { Clock, PolicyView, StatusDetail } from '@apix/contracts';
import type { ProtoRegistry } from '@apix/proto/core';
import type { DescField, DescMessage, DescMethod, Message } from '@bufbuild/protobuf';
import type { CompiledExpression } from '../cel/cel-scope.js';
import { type Evaluate, verdictOf } from '../policy/compile-requirement.js';
import type { Requirement } from '../policy/requirement.js';
import type { Subject } from '../subject/subject.js';
import { type FieldVisibility, nameOfField } from './field-visibility.js';
import {
  findByPaths,
  HiddenPaths,
  type MaskPlaces,
  maskPlaces,
  type NamedField,
  stepsOf,
  typesOfFields,
} from './mask-paths.js';
import { maskMessage, type MaskView } from './mask-message.js';
import type { FieldValues } from './field-access.js';
import { typesIn, typesWith } from './holding-types.js';
import { Masks } from './type-mask.js';
import { factsOf, type FieldFinding, fieldFinding, messagesOf } from './field-findings.js';

/** Who asks, for fields; null: not known, and sees no field that not everyone sees. */
export interface FieldCaller {
  readonly subject: Subject | null;
  /** The full name of the method. */
  readonly method: string;
}

/** What is known of a method's fields before a call. */
export interface MethodFields {
  readonly output: DescMessage;
  /** Whether answers may have fields that not every caller sees. */
  readonly hides: boolean;
  /** Undefined: requests have no masks. */
  readonly places: MaskPlaces | undefined;
}

/** The most sets of rules for which masks are remembered; there are as many as callers differ in their rights. */
const MOST_MASKS = 1_000;

/** The details that gRPC itself has, which hold no message of an app. */
const DETAILS_OF_GRPC = /^google\.rpc\.(?!Status$)/;

/** The fields of the descriptors that not every caller sees. */
export class VisibleFields {
  readonly #registry: ProtoRegistry | undefined;
  /** Every field with `(apix.authz.visible)`. */
  readonly all: readonly FieldVisibility[];
  /** The rules without those that are equal. */
  readonly #rules: readonly Evaluate[];
  readonly #ruleOf = new Map<FieldVisibility, number>();
  readonly #byRules = new Map<string, Masks>();
  readonly #paths = new WeakMap<Masks, HiddenPaths>();
  readonly #hiding: ReadonlySet<string>;
  readonly #methods = new Map<string, MethodFields | undefined>();

  constructor(
    registry: ProtoRegistry | undefined,
    all: readonly FieldVisibility[],
    private readonly clock: Clock,
  ) {
    this.#registry = registry;
    this.all = all;
    const types = all.map(({ field }) => field.parent);
    this.#hiding = registry === undefined ? new Set() : typesWith(types, registry.registry);
    const rules = new Map<string, Evaluate>();
    for (const each of all) {
      const { roles, permissions } = each.requirement as { roles?: unknown; permissions?: unknown };
      const key = JSON.stringify([roles, permissions]);
      if (!rules.has(key)) rules.set(key, each.evaluate);
      this.#ruleOf.set(each, [...rules.keys()].indexOf(key));
    }
    this.#rules = [...rules.values()];
  }

  /** Who sees a field, by its full name; undefined: everybody who gets the message. */
  requirementOf(name: string): Requirement | undefined {
    return this.all.find(({ field }) => nameOfField(field) === name)?.requirement;
  }

  /** Who sees a field among those that get its message; undefined: the descriptors have no such field. */
  audienceOf(name: string): PolicyView | undefined {
    const dot = name.lastIndexOf('.');
    const fields = this.#registry?.registry.getMessage(name.slice(0, dot))?.fields ?? [];
    if (!fields.some((field) => nameOfField(field) === name)) return undefined;
    return this.requirementOf(name) ?? { kind: 'unannotated', allowed: true };
  }

  /** What a caller sees of the fields that answers of a method may have, for operators. */
  explain(method: string, subject: Subject | null, answer: Message | undefined): FieldFinding[] {
    const output = this.#registry?.method(method)?.output;
    if (output === undefined) return [];
    const facts = { method, subject, now: this.clock.now() };
    const types = typesIn(output);
    return this.all
      .filter(({ field }) => types.has(field.parent.typeName))
      .map((each) => fieldFinding(each, facts, messagesOf(each.field.parent.typeName, answer)));
  }

  /** Undefined: nothing is to do for the method. */
  ofMethod(fullName: string): MethodFields | undefined {
    if (this.all.length === 0) return undefined;
    const known = this.#methods.get(fullName);
    if (known !== undefined || this.#methods.has(fullName)) return known;
    const method = this.#registry?.method(fullName);
    const fields = method && this.#fieldsOf(method);
    // A caller chooses the name, so only known ones may take up memory.
    if (method !== undefined) this.#methods.set(fullName, fields);
    return fields;
  }

  #fieldsOf({ input, output }: DescMethod): MethodFields | undefined {
    const hides = this.#hiding.has(output.typeName);
    const places = maskPlaces(input);
    return hides || places !== undefined ? { output, hides, places } : undefined;
  }

  /** An answer as the caller sees it: itself, or a copy. @throws Error for what cannot be looked into. */
  shown(desc: DescMessage, message: unknown, caller: FieldCaller): unknown {
    if (typeof message !== 'object' || message === null) return message;
    const masks = this.#masksFor(caller.subject);
    const mask = masks?.of(desc);
    if (masks === undefined || mask === undefined) return message;
    return maskMessage(mask, message, new CallerView(masks, caller, this.clock));
  }

  /** The same for a message of any type of the descriptors; another one is shown as it is. */
  shownMessage(message: object, caller: FieldCaller): object {
    const { $typeName } = message as { readonly $typeName?: unknown };
    const desc =
      typeof $typeName === 'string' ? this.#registry?.registry.getMessage($typeName) : undefined;
    return desc === undefined ? message : (this.shown(desc, message, caller) as object);
  }

  /** Details of a status as the caller sees them; those that cannot be looked into are left out. */
  shownDetails(details: readonly StatusDetail[], caller: FieldCaller): readonly StatusDetail[] {
    const masks = this.#masksFor(caller.subject);
    if (masks === undefined) return details;
    const view = new CallerView(masks, caller, this.clock);
    return details.flatMap((detail): readonly StatusDetail[] => {
      const { typeUrl, value } = detail;
      const typeName = typeUrl.slice(typeUrl.lastIndexOf('/') + 1);
      if (DETAILS_OF_GRPC.test(typeName)) return [detail];
      const mask = masks.ofName(typeName);
      if (mask === undefined) return [detail];
      try {
        return mask === null ? [] : [{ typeUrl, value: maskMessage(mask, value, view) as Buffer }];
      } catch {
        return [];
      }
    });
  }

  /** Whether answers of a type may have something to hide from a caller. */
  hidesFrom(desc: DescMessage, subject: Subject | null): boolean {
    return this.#masksFor(subject)?.of(desc) !== undefined;
  }

  /**
   * The hidden field that a mask in a request is about; undefined: there is none.
   *
   * @param resource the record of the call, whose conditions decide about its fields.
   */
  maskedField(
    { places, output }: MethodFields,
    request: unknown,
    caller: FieldCaller,
    resource: Message | undefined,
  ): string | undefined {
    if (places === undefined || typeof request !== 'object' || request === null) return undefined;
    const masks = this.#masksFor(caller.subject);
    if (masks === undefined) return undefined;
    const view = new CallerView(masks, caller, this.clock);
    const read = [output, ...typesOfFields(output)];
    const known = new Map<DescField, boolean>();
    const isShown = ({ field, condition }: NamedField): boolean => {
      if (condition === null) return false;
      let isMet = known.get(field);
      if (isMet === undefined) {
        const isOfRecord = resource?.$typeName === field.parent.typeName;
        isMet = view.isMet(condition, isOfRecord ? resource : undefined);
        known.set(field, isMet);
      }
      return isMet;
    };
    const paths = this.#pathsOf(masks);
    const hiddenBy = (steps: readonly string[], desc: DescMessage, isWhole: boolean) =>
      paths.named(steps, desc, isWhole).find((each) => !isShown(each));
    const found = findByPaths(places, request as FieldValues, (path, changed) => {
      const steps = stepsOf(path);
      for (const desc of changed) {
        const hidden = hiddenBy(steps, desc, true);
        if (hidden !== undefined) return hidden;
      }
      for (const desc of read) {
        const hidden = hiddenBy(steps, desc, false);
        if (hidden !== undefined) return hidden;
      }
      return undefined;
    });
    return found === undefined ? undefined : nameOfField(found.field);
  }

  #pathsOf(masks: Masks): HiddenPaths {
    let paths = this.#paths.get(masks);
    if (paths === undefined) this.#paths.set(masks, (paths = new HiddenPaths(masks)));
    return paths;
  }

  /** Undefined: the caller sees everything. */
  #masksFor(subject: Subject | null): Masks | undefined {
    if (this.all.length === 0) return undefined;
    let key = '';
    for (const rule of this.#rules) {
      key += subject !== null && verdictOf(rule, subject) === undefined ? '1' : '0';
    }
    let masks = this.#byRules.get(key);
    if (masks === undefined) {
      if (this.#byRules.size >= MOST_MASKS) this.#byRules.clear();
      masks = new Masks(
        this.#registry!.registry,
        this.all,
        (each) => key[this.#ruleOf.get(each)!] === '1',
      );
      this.#byRules.set(key, masks);
    }
    return masks;
  }
}

/** Evaluates the conditions of fields for one caller. */
class CallerView implements MaskView {
  #values: Readonly<Record<string, unknown>> | undefined;
  /** The same with the message that is asked about. */
  #withMessage: Record<string, unknown> | undefined;
  readonly #always = new Map<CompiledExpression, boolean>();

  constructor(
    readonly masks: Masks,
    private readonly caller: FieldCaller,
    private readonly clock: Clock,
  ) {}

  /** @param message undefined: not known; a condition that is true all the same is met. */
  isMet(condition: CompiledExpression, message: Message | undefined): boolean {
    try {
      if (message === undefined) return condition.evaluate(this.#facts()) === true;
      const always = this.#always.get(condition);
      if (always === true) return true;
      const values = (this.#withMessage ??= { ...this.#facts() });
      values['this'] = message;
      const isMet = condition.evaluate(values) === true;
      if (always === undefined) {
        // What is true whatever the message is, such as of staff, need not be asked of each message of a list.
        this.#always.set(condition, isMet && condition.evaluate(this.#facts()) === true);
      }
      return isMet;
    } catch {
      return false;
    }
  }

  #facts(): Readonly<Record<string, unknown>> {
    const { subject, method } = this.caller;
    if (subject === null) throw new Error('authz: the caller is not known');
    return (this.#values ??= factsOf(subject, method, this.clock.now()));
  }
}
