import type { PolicySource } from '@apix/contracts';
import { type ProtoRegistry } from '@apix/proto/core';
import { type JsonSchema, constraintsOf, isRequired } from '@apix/proto/internal';
import type { DescEnum, DescField, DescMessage } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence as Presence } from '@bufbuild/protobuf/wkt';
import { FieldBehavior } from '../gen/google/api/field_behavior_pb.js';
import { isHttpBody } from '../request/body.js';
import { namesBelow } from '../rules/binding.js';
import { audienceOf } from './audience.js';
import { type JsonStyle, behavioursOf, descriptionOf, memberName } from './declarations.js';
import { scalarSchema, wellKnownSchema } from './value-schemas.js';

const NOTHING: ReadonlySet<string> = new Set();

/** The schemas of messages and enums, collected as they are referred to. */
export class Schemas {
  private readonly components = new Map<string, JsonSchema>();

  constructor(
    private readonly protos: ProtoRegistry,
    private readonly style: JsonStyle,
    private readonly policies?: PolicySource,
  ) {}

  /** Every schema that was referred to, by full name, in alphabetical order. */
  collected(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.components].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** The name of a field in JSON. */
  nameOf(field: DescField): string {
    return memberName(field, this.style);
  }

  /**
   * A schema for a message: a reference, or the form of a well-known type itself.
   *
   * @param without fields that it must not have here; dotted names from this message down.
   */
  ofMessage(desc: DescMessage, without = NOTHING): JsonSchema {
    if (isHttpBody(desc)) return { type: 'object', description: 'Raw bytes with a content type.' };
    const known = wellKnownSchema(desc);
    if (known !== undefined) return known;
    if (without.size > 0) return this.#objectOf(desc, without);
    if (!this.components.has(desc.typeName)) {
      // Before its fields, which may refer to it again.
      this.components.set(desc.typeName, {});
      this.components.set(desc.typeName, this.#objectOf(desc, NOTHING));
    }
    return { $ref: `#/components/schemas/${desc.typeName}` };
  }

  #objectOf(desc: DescMessage, without: ReadonlySet<string>): JsonSchema {
    const fields = desc.fields.filter(({ name }) => !without.has(name));
    const required = fields.filter((field) => this.isRequired(field));
    return {
      type: 'object',
      ...descriptionOf(this.protos, desc),
      properties: Object.fromEntries(
        fields.map((field) => [
          this.nameOf(field),
          this.ofField(field, namesBelow(without, field.name)),
        ]),
      ),
      ...(required.length > 0 && { required: required.map((field) => this.nameOf(field)) }),
    };
  }

  /** Whether its presence, (google.api.field_behavior) or (buf.validate.field) asks for the field. */
  isRequired(field: DescField): boolean {
    return (
      isRequired(field) ||
      behavioursOf(field).includes(FieldBehavior.REQUIRED) ||
      constraintsOf(this.protos, field).required
    );
  }

  /**
   * A field's schema, with its comment, behaviour and constraints.
   *
   * @param without of a message field: as in {@link ofMessage}.
   */
  ofField(field: DescField, without = NOTHING): JsonSchema {
    const { keywords, items } = constraintsOf(this.protos, field);
    const behaviours = behavioursOf(field);
    return {
      ...this.typeOf(field, items, without),
      ...keywords,
      ...this.#describedFor(field),
      ...(behaviours.includes(FieldBehavior.OUTPUT_ONLY) && { readOnly: true }),
      ...(behaviours.includes(FieldBehavior.INPUT_ONLY) && { writeOnly: true }),
      ...(field.deprecated && { deprecated: true }),
    };
  }

  /** The comment of a field, and who sees it. */
  #describedFor(field: DescField): { readonly description?: string } {
    const own = descriptionOf(this.protos, field);
    const view = this.policies?.visibilityOf?.(`${field.parent.typeName}.${field.name}`);
    if (view === undefined) return own;
    return { description: [own.description, audienceOf(view)].filter(Boolean).join('\n\n') };
  }

  /** A field's schema as a whole response, which is `null` if the field is not set. */
  // Why: docs/decisions/0388
  ofResponse(field: DescField): JsonSchema {
    const schema = this.ofField(field);
    // A list or map is never unset, nor a scalar that has no presence.
    const mayBeUnset = field.presence === Presence.EXPLICIT;
    return mayBeUnset ? { anyOf: [schema, { type: 'null' }] } : schema;
  }

  private typeOf(field: DescField, items: JsonSchema, without: ReadonlySet<string>): JsonSchema {
    switch (field.fieldKind) {
      case 'list':
        return { type: 'array', items: { ...this.elementOf(field), ...items } };
      case 'map':
        return { type: 'object', additionalProperties: { ...this.elementOf(field), ...items } };
      case 'message':
        return this.ofMessage(field.message, without);
      case 'scalar':
      case 'enum':
        return this.elementOf(field);
    }
  }

  /** One element of a field. */
  elementOf(field: DescField): JsonSchema {
    if (field.message !== undefined) return this.ofMessage(field.message);
    if (field.enum !== undefined) return this.ofEnum(field.enum);
    const scalar = 'scalar' in field ? field.scalar : undefined;
    return scalar === undefined ? {} : scalarSchema(scalar);
  }

  private ofEnum(desc: DescEnum): JsonSchema {
    if (desc.typeName === 'google.protobuf.NullValue') return { type: 'null' };
    const numbers = this.style.enumsAsNumbers;
    this.components.set(desc.typeName, {
      type: numbers ? 'integer' : 'string',
      ...descriptionOf(this.protos, desc),
      enum: desc.values.map((value) => (numbers ? value.number : value.name)),
    });
    return { $ref: `#/components/schemas/${desc.typeName}` };
  }
}
