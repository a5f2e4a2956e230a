import { requires } from '@apix/authz/core';
import { Mistakes, shownValue, thrownText } from '@apix/contracts';
import { isRecord, refuseUnknown } from '@apix/contracts/internal';
import { tool, tools } from '@apix/mcp/core';
import { METHOD_PATTERN } from '@apix/proto/internal';
import {
  type DescExtension,
  type ExtensionValueShape,
  type JsonValue,
  fromJson,
} from '@bufbuild/protobuf';
import { GatewayServerError } from '../errors.js';
import { readDocumentFile } from '../settings/read-document.js';

type ValueOf<E extends DescExtension> = ExtensionValueShape<E>;

/** What a policy file says of a method, or of all methods below a name. */
export interface PolicyEntry {
  /** `shop.v1.Orders.Get`, or `shop.v1.Orders.*`. */
  readonly selector: string;
  /** For mistakes in it. */
  readonly place: string;
  /** As `(apix.authz.requires)`; undefined: nothing is said about it. */
  readonly requires: ValueOf<typeof requires> | undefined;
  /** As `(apix.mcp.tool)`. */
  readonly tool: ValueOf<typeof tool> | undefined;
  /** As `(apix.mcp.tools)` of services. */
  readonly tools: ValueOf<typeof tools> | undefined;
}

/**
 * Reads the policies of a file: a list of entries with a selector each, whose members are those of the options in .proto
 * files, in their JSON form.
 *
 * @throws GatewayServerError that lists every mistake.
 */
export function readPolicyFile(file: string): readonly PolicyEntry[] {
  const document = readDocumentFile(file);
  const mistakes = new Mistakes();
  if (!Array.isArray(document)) {
    throw new GatewayServerError([`${file}: must be a list of policies, each with a selector`]);
  }
  const entries = document.map((given: unknown, index) =>
    readEntry(given, `${file}: [${index}]`, mistakes),
  );
  const seen = new Set<string>();
  for (const { selector, place } of entries) {
    if (seen.has(selector)) mistakes.add(place, `${shownValue(selector)} is given twice`);
    seen.add(selector);
  }
  mistakes.throwIfAny((found) => new GatewayServerError(found));
  return entries;
}

function readEntry(given: unknown, at: string, mistakes: Mistakes): PolicyEntry {
  const entry = isRecord(given) ? given : {};
  const { selector } = entry;
  if (typeof selector !== 'string' || !METHOD_PATTERN.test(selector)) {
    mistakes.add(at, `must have a selector such as shop.v1.Orders.Get, or shop.v1.Orders.*`);
    return { ...NOTHING, selector: '', place: at };
  }
  const place = `${at} (${selector})`;
  const isPattern = selector.endsWith('*');
  refuseUnknown(entry, ['selector', 'requires', 'tool', 'tools'], place, mistakes);
  if (isPattern ? entry['tool'] !== undefined : entry['tools'] !== undefined) {
    mistakes.add(
      place,
      'has tool for one method, and tools for those of a selector that ends in .*',
    );
  }
  const read = <E extends DescExtension>(name: string, option: E): ValueOf<E> | undefined => {
    if (entry[name] === undefined) return undefined;
    try {
      return fromJson(option.message!, (entry[name] ?? {}) as JsonValue) as ValueOf<E>;
    } catch (error) {
      mistakes.add(`${place}, ${name}`, thrownText(error));
      return undefined;
    }
  };
  return {
    selector,
    place,
    requires: read('requires', requires),
    tool: read('tool', tool),
    tools: read('tools', tools),
  };
}

const NOTHING = { requires: undefined, tool: undefined, tools: undefined };
