import type { DescField, DescMessage, FileRegistry } from '@bufbuild/protobuf';
import type { CompiledExpression } from '../cel/cel-scope.js';
import { accessOf, type FieldAccess } from './field-access.js';
import type { FieldVisibility } from './field-visibility.js';
import { ANY, typesWith } from './holding-types.js';

/** Fields that some callers do not see. */
export interface HiddenFields {
  /** They are shown if this is true of the message; undefined: never. */
  readonly shownIf: CompiledExpression | undefined;
  readonly fields: readonly FieldAccess[];
}

/** A field whose messages may hold fields that are hidden. */
export interface HoldingField extends FieldAccess {
  readonly mask: TypeMask;
}

/** What is hidden in messages of a type. */
export interface TypeMask {
  readonly desc: DescMessage;
  /** One entry for each condition, so that it is evaluated once for all of its fields. */
  readonly hidden: readonly HiddenFields[];
  readonly holding: readonly HoldingField[];
}

/** What is hidden from callers for whom the same rules pass, by type. */
export class Masks {
  readonly #registry: FileRegistry;
  readonly #hidden: ReadonlyMap<DescField, FieldVisibility>;
  /** Fields whose rules pass, and whose condition decides. */
  readonly #conditional: ReadonlySet<DescField>;
  readonly #masked: ReadonlySet<string>;
  readonly #known = new Map<string, TypeMask>();

  /** @param passes whether the rules of a field pass. */
  constructor(
    registry: FileRegistry,
    all: readonly FieldVisibility[],
    passes: (each: FieldVisibility) => boolean,
  ) {
    this.#registry = registry;
    const shown = new Set(all.filter(passes));
    const hidden = all.filter((each) => !shown.has(each) || each.condition !== undefined);
    this.#hidden = new Map(hidden.map((each) => [each.field, each]));
    this.#conditional = new Set([...shown].map(({ field }) => field));
    const types = hidden.map(({ field }) => field.parent);
    this.#masked = typesWith(types, registry);
  }

  /** Undefined: messages of the type are shown as they are. */
  of(desc: DescMessage): TypeMask | undefined {
    return this.#masked.has(desc.typeName) ? this.#maskOf(desc) : undefined;
  }

  /** What is hidden in the message of an Any; null: nothing is known of its type. */
  ofName(typeName: string): TypeMask | undefined | null {
    const desc = this.#registry.getMessage(typeName);
    return desc === undefined ? null : this.of(desc);
  }

  /** The condition on which a field is shown; null: it is hidden. Undefined: it is shown. */
  hides(field: DescField): CompiledExpression | null | undefined {
    const visibility = this.#hidden.get(field);
    if (visibility === undefined) return undefined;
    return (this.#conditional.has(field) ? visibility.condition : undefined) ?? null;
  }

  #maskOf(desc: DescMessage): TypeMask {
    const known = this.#known.get(desc.typeName);
    if (known !== undefined) return known;
    const hidden: HiddenFields[] = [];
    const groups = new Map<string | undefined, FieldAccess[]>();
    const holding: HoldingField[] = [];
    // Known before its fields are looked at: a type may hold itself.
    const mask: TypeMask = { desc, hidden, holding };
    this.#known.set(desc.typeName, mask);
    if (desc.typeName === ANY) return mask;
    for (const field of desc.fields) {
      const condition = this.hides(field);
      if (condition !== undefined) {
        const shownIf = condition ?? undefined;
        // Conditions of a message have the same names to read, so those with one text mean the same.
        let fields = groups.get(shownIf?.source);
        if (fields === undefined) {
          groups.set(shownIf?.source, (fields = []));
          hidden.push({ shownIf, fields });
        }
        fields.push(accessOf(field));
      }
      const inner = field.message && this.of(field.message);
      if (inner !== undefined) holding.push({ ...accessOf(field), mask: inner });
    }
    return mask;
  }
}
