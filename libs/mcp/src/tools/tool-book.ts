import type { CallContext, AccessSource, CallerAccess } from '@apix/contracts';
import { Code, StatusError } from '@apix/contracts';
import type { ProtoRegistry } from '@apix/proto/core';
import type { DescMethod, Registry } from '@bufbuild/protobuf';
import { McpConfigError } from '../errors.js';
import { toolsOf } from './tool-options.js';
import { type Tool, toolOf } from './tool.js';

const NO_TOOL =
  'no tool found: give at least one method the option (apix.mcp.tool), or its service (apix.mcp.tools)';

/** The tools of a server. */
export class ToolBook {
  /** The types of what they take and return. */
  readonly types: Registry;
  readonly #tools: readonly Tool[];
  readonly #byName: ReadonlyMap<string, Tool>;

  /**
   * @param noTool what to say if none is a tool. Default: which options make methods tools.
   * @throws McpConfigError with the mistakes in the options of methods, or if none is a tool.
   */
  constructor(protos: ProtoRegistry, noTool = NO_TOOL) {
    this.types = protos.registry;
    this.#tools = toolsOf(protos.services).map((description) => toolOf(description, protos));
    if (this.#tools.length === 0) throw new McpConfigError([noTool]);
    this.#byName = new Map(this.#tools.map((tool) => [tool.name, tool]));
  }

  get size(): number {
    return this.#tools.length;
  }

  /** The method of each tool, by the name of the tool. */
  get methods(): ReadonlyMap<string, DescMethod> {
    return new Map(this.#tools.map(({ name, method }) => [name, method]));
  }

  find(name: string): Tool | undefined {
    return this.#byName.get(name);
  }

  /**
   * The tools that a caller may call, as the JSON of their list. Without a source, all of them.
   *
   * @throws StatusError, or rejects with it, if it is not known who calls, or if an anonymous caller may call none.
   */
  async listFor(source: AccessSource | undefined, call: CallContext): Promise<string> {
    if (source === undefined) return this.#listOf(this.#tools);
    const access = await source.accessOf(call);
    const shown = this.#tools.filter(({ path }) => access.of(path) !== 'denied');
    assertNotInVain(access, shown);
    return this.#listOf(shown);
  }

  #listOf(tools: readonly Tool[]): string {
    return `[${tools.map(({ listing }) => listing).join(',')}]`;
  }
}

/** Clients log in once they are refused, and take an empty list for all that there is. */
function assertNotInVain({ isAnonymous }: CallerAccess, shown: readonly Tool[]): void {
  if (!isAnonymous || shown.length > 0) return;
  throw new StatusError(Code.UNAUTHENTICATED, 'credentials are missing');
}
