import { type JsonSchema, commentsOf, hasDebugRedact } from '@apix/proto/internal';
import type { ProtoRegistry } from '@apix/proto/core';
import type { DescMessage } from '@bufbuild/protobuf';
import { LONGEST_PART, cleanText } from '../tools/tool-text.js';
import { enumDescription, enumForm } from './enum-forms.js';
import { FieldSchemas } from './field-schemas.js';
import { mustBeSet } from './must-be-set.js';
import { rivalKeywords, rivalsIn } from './oneof-keywords.js';
import { type MemberDesc, type Referable, extensionsFor, sharedTypes } from './references.js';
import { messageRuleWords } from './rule-words.js';
import { type SchemaSide, isShort, wellKnownForm } from './value-forms.js';

/** The schema of one message on one side of a call, with the types that it refers to. */
export class MessageSchemas {
  readonly #shared: ReadonlySet<Referable>;
  readonly #defs = new Map<string, JsonSchema>();
  readonly #fields: FieldSchemas;

  constructor(
    private readonly protos: ProtoRegistry,
    private readonly side: SchemaSide,
    private readonly desc: DescMessage,
  ) {
    this.#fields = new FieldSchemas(protos, side, (type) => this.#typeOf(type));
    this.#shared = sharedTypes(desc, {
      membersOf: (each) => this.#membersOf(each),
      isRepeated: (type) => type.kind === 'message' && isShort(type),
    });
  }

  /**
   * The message itself, with all types that are referred to as `$defs`. A message that leads to itself is there twice:
   * not all clients know `{"$ref": "#"}`.
   */
  root(): JsonSchema {
    const schema = this.#formOf(this.desc);
    const defs = [...this.#defs].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return defs.length === 0 ? schema : { ...schema, $defs: Object.fromEntries(defs) };
  }

  /** A type where it is used. */
  #typeOf(type: Referable): JsonSchema {
    if (!this.#shared.has(type)) return this.#formOf(type);
    const { typeName } = type;
    if (!this.#defs.has(typeName)) {
      // Before its fields, which may refer to it again.
      this.#defs.set(typeName, {});
      this.#defs.set(typeName, this.#formOf(type));
    }
    return { $ref: `#/$defs/${typeName}` };
  }

  #formOf(type: Referable): JsonSchema {
    if (type.kind === 'message') return wellKnownForm(type, this.side) ?? this.#objectOf(type);
    return described(enumForm(type, this.side), isKnown(type) ? '' : enumDescription(type));
  }

  #objectOf(desc: DescMessage): JsonSchema {
    const members = this.#membersOf(desc);
    const properties = Object.fromEntries(
      members.map((member) => [nameOf(member), this.#fields.of(member, desc === this.desc)]),
    );
    const isInput = this.side === 'input';
    const required = isInput
      ? members.filter((member) => this.#isRequired(member, desc === this.desc)).map(nameOf)
      : [];
    const text = [
      isKnown(desc) ? '' : commentsOf(desc),
      isInput ? messageRuleWords(this.protos, desc) : '',
    ];
    return {
      type: 'object',
      ...described({}, text.filter(Boolean).join('\n')),
      ...(members.length > 0 && { properties }),
      ...(required.length > 0 && { required }),
      ...(isInput && {
        ...rivalKeywords(rivalsIn(this.protos, desc)),
        additionalProperties: false,
      }),
    };
  }

  /** Of an answer, the sensitive fields are left out. */
  #membersOf(desc: DescMessage): readonly MemberDesc[] {
    if (wellKnownForm(desc, this.side) !== undefined) return [];
    const members = [...desc.fields, ...extensionsFor(desc, this.protos)];
    return this.side === 'input' ? members : members.filter((member) => !hasDebugRedact(member));
  }

  #isRequired(member: MemberDesc, isRoot: boolean): boolean {
    return (
      member.kind === 'field' &&
      (mustBeSet(this.protos, member) || (isRoot && this.#fields.isDemanded(member)))
    );
  }
}

/** Types whose comments are for those who write .proto files. */
function isKnown({ typeName }: Referable): boolean {
  return typeName.startsWith('google.protobuf.');
}

function nameOf(member: MemberDesc): string {
  return member.kind === 'field' ? member.jsonName : `[${member.typeName}]`;
}

function described(schema: JsonSchema, text: string): JsonSchema {
  const description = cleanText(text, LONGEST_PART);
  return description === '' ? schema : { ...schema, description };
}
