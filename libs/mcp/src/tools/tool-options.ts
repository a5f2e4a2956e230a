import { Mistakes, shownValue } from '@apix/contracts';

import { type WrittenOption, commentsOf, writtenOption } from '@apix/proto/internal';
import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt';
import { McpConfigError } from '../errors.js';
import {
  type ToolDefaults,
  type ToolHints,
  type ToolOptions,
  tool,
  tools,
} from '../gen/apix/mcp/mcp_pb.js';
import { LONGEST_DESCRIPTION, LONGEST_TITLE, cleanLine, cleanText } from './tool-text.js';

/** What clients may expect of a tool; nothing is said where a member is not there. */
export interface ToolAnnotationHints {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A method as a tool. */
export interface ToolDescription {
  /** Unique among all tools: 1 to 128 letters, digits, `_`, `-` and `.`. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly hints: ToolAnnotationHints;
  /** Unary, or with a stream of responses. */
  readonly method: DescMethod;
}

/** A tool, and the place of its option for mistakes. */
interface Placed {
  readonly tool: ToolDescription;
  readonly where: string;
}

/**
 * The methods with (apix.mcp.tool), or of a service with (apix.mcp.tools), in the order of the services.
 *
 * @throws McpConfigError with everything that is wrong with the options, by file and line where the descriptors
 *   have source info.
 */
export function toolsOf(services: Iterable<DescService>): readonly ToolDescription[] {
  const mistakes = new Mistakes();
  const placed = Array.from(services, (service) => toolsIn(service, mistakes)).flat();
  const byName = new Map<string, Placed>();
  for (const each of placed) {
    const { name } = each.tool;
    const earlier = byName.get(name);
    if (earlier === undefined) byName.set(name, each);
    else {
      mistakes.add(
        each.where,
        `the name "${name}" is that of ${earlier.tool.method.toString()}; set another name`,
      );
    }
  }
  mistakes.throwIfAny((found) => new McpConfigError(found));
  return placed.map((each) => each.tool);
}

function toolsIn(service: DescService, mistakes: Mistakes): Placed[] {
  const defaults = writtenOption(service, tools, mistakes);
  refuseUnknownFields(defaults, mistakes);
  const found: Placed[] = [];
  for (const method of service.methods) {
    const own = writtenOption(method, tool, mistakes);
    refuseUnknownFields(own, mistakes);
    const written = own ?? defaults;
    if (written === undefined || own?.value.hidden === true) continue;
    if (method.methodKind === 'client_streaming' || method.methodKind === 'bidi_streaming') {
      if (own !== undefined) mistakes.add(own.where, REQUEST_STREAM);
      continue;
    }
    const where = own === undefined ? `${written.where}, method ${method.name}` : own.where;
    const complain = (what: string): void => mistakes.add(where, what);
    found.push({ tool: describeTool(method, own?.value, defaults?.value, complain), where });
  }
  return found;
}

const REQUEST_STREAM =
  'the method has a stream of requests, which a tool cannot have; remove the option';

function describeTool(
  method: DescMethod,
  own: ToolOptions | undefined,
  defaults: ToolDefaults | undefined,
  complain: (what: string) => void,
): ToolDescription {
  const name = own?.name || `${defaults?.prefix || method.parent.name}_${method.name}`;
  if (!TOOL_NAME.test(name)) {
    complain(
      `${shownValue(name)} is not the name of a tool; use 1 to 128 letters, digits, "_", "-" and "."`,
    );
  }
  const title = cleanLine(own?.title ?? '', LONGEST_TITLE);
  const hints = hintsOf(method, own?.hints, defaults?.hints);
  if (hints.readOnlyHint === true && hints.destructiveHint === true) {
    complain('hints are read_only and destructive, which cannot both be true');
  }
  const description = descriptionOf(method, own);
  return { name, ...(title !== '' && { title }), description, hints, method };
}

/** Of the specification of the Model Context Protocol, revision 2025-11-25. */
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

function descriptionOf(method: DescMethod, own: ToolOptions | undefined): string {
  const text =
    cleanText(own?.description || commentsOf(method), LONGEST_DESCRIPTION) ||
    `Calls ${method.parent.typeName}.${method.name}.`;
  return method.deprecated || method.parent.deprecated ? `Deprecated. ${text}` : text;
}

function hintsOf(
  { idempotency }: DescMethod,
  own: ToolHints | undefined,
  defaults: ToolHints | undefined,
): ToolAnnotationHints {
  const readOnlyHint =
    own?.readOnly ??
    defaults?.readOnly ??
    (idempotency === Idempotency.NO_SIDE_EFFECTS || undefined);
  const idempotentHint =
    own?.idempotent ??
    defaults?.idempotent ??
    (idempotency === Idempotency.IDEMPOTENT || undefined);
  const destructiveHint = own?.destructive ?? defaults?.destructive;
  const openWorldHint = own?.openWorld ?? defaults?.openWorld;
  return {
    ...(readOnlyHint !== undefined && { readOnlyHint }),
    ...(destructiveHint !== undefined && { destructiveHint }),
    ...(idempotentHint !== undefined && { idempotentHint }),
    ...(openWorldHint !== undefined && { openWorldHint }),
  };
}

/** What is not known may be what keeps a method from being a tool. */
function refuseUnknownFields(
  written: WrittenOption<ToolOptions | ToolDefaults> | undefined,
  mistakes: Mistakes,
): void {
  if (written === undefined) return;
  const { value, where } = written;
  if ([value, value.hints].some((part) => (part?.$unknown?.length ?? 0) > 0)) {
    mistakes.add(
      where,
      'has fields that this version of @apix/mcp does not know; update the package',
    );
  }
}
