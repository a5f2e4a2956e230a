import { REDACTED } from '@apix/contracts/internal';
import type { DescExtension, DescField, DescMessage, Registry } from '@bufbuild/protobuf';
import { hasCustomJsonRepresentation } from '@bufbuild/protobuf/wkt';
import { hasDebugRedact, isRedacted } from './redacted-field.js';

type Members = Readonly<Record<string, unknown>>;

/** Which fields are hidden, and what is in their place. */
interface Hiding {
  readonly isHidden: (field: DescField | DescExtension) => boolean;
  /** Undefined: nothing, as if the field were not set. */
  readonly inPlace: string | undefined;
}

const SHOWN: Hiding = { isHidden: isRedacted, inPlace: REDACTED };
const SENT: Hiding = { isHidden: hasDebugRedact, inPlace: undefined };

/**
 * The ProtoJSON of a message as it may be shown to people: without the values of fields that have
 * `debug_redact`, at any depth and inside of every Any.
 *
 * @param registry resolves Any and extensions; those that it does not know are hidden.
 */
export function redactJson(desc: DescMessage, json: unknown, registry: Registry): unknown {
  return new JsonRedaction(registry, SHOWN).of(desc, json);
}

/**
 * The ProtoJSON of a message as a caller may have it who passes everything on: without fields that have `debug_redact`,
 * as if they were not set. Fields that not every caller sees stay, as those of the others are gone already.
 *
 * @param registry as of {@link redactJson}.
 */
export function withoutRedacted(desc: DescMessage, json: unknown, registry: Registry): unknown {
  return new JsonRedaction(registry, SENT).of(desc, json);
}

const ANY = 'google.protobuf.Any';

class JsonRedaction {
  constructor(
    private readonly registry: Registry,
    private readonly hiding: Hiding,
  ) {}

  of(desc: DescMessage, json: unknown): unknown {
    if (!isMembers(json)) return json;
    if (desc.typeName === ANY) return this.#any(json);
    if (hasCustomJsonRepresentation(desc)) return json;
    return mapMembers(json, (name, value) => {
      const fields = desc.fields.filter((each) => each.jsonName === name || each.name === name);
      const { isHidden, inPlace } = this.hiding;
      const field = fields.find(isHidden) ?? fields[0] ?? extensionOf(name, this.registry);
      return field === undefined ? inPlace : this.#value(field, value);
    });
  }

  #any(json: Members): unknown {
    const url = json['@type'];
    if (typeof url !== 'string') return json;
    const desc = this.registry.getMessage(url.slice(url.lastIndexOf('/') + 1));
    const { '@type': _, ...content } = json;
    if (desc === undefined) return { '@type': url, value: this.hiding.inPlace };
    const shown = hasCustomJsonRepresentation(desc)
      ? { value: this.of(desc, content['value']) }
      : (this.of(desc, content) as Members);
    return { '@type': url, ...shown };
  }

  #value(field: DescField | DescExtension, value: unknown): unknown {
    if (this.hiding.isHidden(field)) return this.hiding.inPlace;
    const { message } = field;
    if (message === undefined || value === null) return value;
    const ofMessage = (one: unknown): unknown => this.of(message, one);
    if (field.fieldKind === 'list') return (value as readonly unknown[]).map(ofMessage);
    if (field.fieldKind !== 'map') return ofMessage(value);
    return mapMembers(value as Members, (_, one) => ofMessage(one));
  }
}

function extensionOf(name: string, registry: Registry): DescExtension | undefined {
  return /^\[.+\]$/.test(name) ? registry.getExtension(name.slice(1, -1)) : undefined;
}

function mapMembers(members: Members, of: (name: string, value: unknown) => unknown): Members {
  const mapped = Object.entries(members).map(([name, one]) => [name, of(name, one)] as const);
  return Object.fromEntries(mapped.filter(([, value]) => value !== undefined));
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
