import { default_requires, requires } from '@apix/authz/core';
import { Mistakes, shownValue } from '@apix/contracts';
import { nearestName } from '@apix/contracts/internal';
import { tool, tools } from '@apix/mcp/core';
import type { ProtoRegistry } from '@apix/proto/core';
import { meansMethod, withDots } from '@apix/proto/internal';
import {
  type DescExtension,
  type DescMethod,
  type DescService,
  type ExtensionValueShape,
  type Extendee,
  create,
  getOption,
  hasOption,
  setExtension,
} from '@bufbuild/protobuf';
import { MethodOptionsSchema, ServiceOptionsSchema } from '@bufbuild/protobuf/wkt';
import { GatewayServerError } from '../errors.js';
import type { PolicyEntry } from '../policies/policy-file.js';
import type { GatewaySettings } from '../settings/setting-table.js';
import { selectorOf } from './unbound-rules.js';

/** What is said of methods besides their .proto files. */
export interface SaidOfMethods {
  readonly policies: readonly PolicyEntry[];
  readonly settings: Pick<GatewaySettings, 'mcp-tool' | 'exclude' | 'jwks'>;
}

/**
 * Gives methods the options that a policy file and the settings have for them, as if they were in their .proto files:
 * whatever reads descriptors then knows of them. Call it before anything has read them.
 *
 * @throws GatewayServerError that lists every mistake.
 */
// Why: docs/decisions/0525
export function addMethodOptions(registry: ProtoRegistry, { policies, settings }: SaidOfMethods) {
  const methods = new Map([...registry.methods.values()].map((it) => [selectorOf(it), it]));
  const adding = new OptionsToAdd(methods);
  const { 'mcp-tool': named, exclude, jwks } = settings;
  // A longer selector says more of a method than a shorter one.
  const byLength = policies.toSorted((a, b) => rank(b.selector) - rank(a.selector));
  for (const entry of byLength) adding.addEntry(entry, jwks !== undefined);
  for (const selector of named) adding.addTool(selector);
  for (const selector of exclude) adding.hide(selector);
  adding.mistakes.throwIfAny((found) => new GatewayServerError(found));
}

/** Those of single methods come first. */
function rank(selector: string): number {
  return selector.endsWith('*') ? selector.length : Number.MAX_SAFE_INTEGER;
}

class OptionsToAdd {
  readonly mistakes = new Mistakes();
  readonly #methods: ReadonlyMap<string, DescMethod>;
  /** Where each method was named as a tool by itself. */
  readonly #named = new Map<DescMethod, string>();
  readonly #servicesOfFile = new Set<DescService>();

  constructor(methods: ReadonlyMap<string, DescMethod>) {
    this.#methods = methods;
  }

  addEntry(entry: PolicyEntry, isEnforced: boolean): void {
    const { selector, place } = entry;
    const meant = this.#meantBy(selector, place);
    const isPattern = selector.endsWith('*');
    if (entry.requires !== undefined && !isEnforced) {
      this.mistakes.add(
        place,
        'has a policy, which is enforced here only if jwks is set: set it, or remove the policy',
      );
    }
    for (const method of meant) {
      if (entry.requires !== undefined) {
        if (!hasPolicy(method)) setMethodOption(method, requires, entry.requires);
        else if (!isPattern) {
          this.mistakes.add(
            place,
            'the .proto file of the method has a policy for it: remove the one here',
          );
        }
      }
      if (entry.tool !== undefined) {
        setMethodOption(method, tool, entry.tool);
        this.#named.set(method, place);
      }
    }
    if (entry.tools === undefined) return;
    for (const { parent } of meant) {
      if (this.#servicesOfFile.has(parent)) continue;
      setServiceOption(parent, tools, entry.tools);
    }
    for (const { parent } of meant) this.#servicesOfFile.add(parent);
  }

  /** Of the setting `mcp-tool`. */
  addTool(selector: string): void {
    const place = 'mcp-tool';
    const isPattern = selector.endsWith('*');
    for (const method of this.#meantBy(selector, place)) {
      if (isPattern) {
        if (!hasOption(method.parent, tools)) setServiceOption(method.parent, tools, noted(tools));
        continue;
      }
      this.#named.set(method, `${place}: ${selector}`);
      if (!hasOption(method, tool)) setMethodOption(method, tool, noted(tool));
      else if (getOption(method, tool).hidden) {
        this.mistakes.add(
          place,
          `${selector} is hidden by its option (apix.mcp.tool): remove one of them`,
        );
      }
    }
  }

  /** What is not served at all is not a tool either. */
  hide(excluded: string): void {
    const selector = withDots(excluded);
    for (const [name, method] of this.#methods) {
      if (!meansMethod(selector, name)) continue;
      const place = this.#named.get(method);
      if (place !== undefined && !selector.endsWith('*')) {
        this.mistakes.add(place, `is a tool, and left out by exclude: remove one of them`);
      }
      setMethodOption(method, tool, noted(tool, { hidden: true }));
    }
  }

  #meantBy(selector: string, place: string): readonly DescMethod[] {
    const meant = [...this.#methods].filter(([name]) => meansMethod(selector, name));
    if (meant.length === 0) {
      const near = nearestName(selector, [...this.#methods.keys()]);
      const hint = near === undefined ? '' : `; did you mean ${near}?`;
      this.mistakes.add(place, `the descriptors have no method ${shownValue(selector)}${hint}`);
    }
    return meant.map(([, method]) => method);
  }
}

function hasPolicy(method: DescMethod): boolean {
  return hasOption(method, requires) || hasOption(method.parent, default_requires);
}

type OptionOf<E extends DescExtension> = ExtensionValueShape<E>;

/** The value of an option of a message. */
function noted<E extends DescExtension>(
  option: E,
  init: Record<string, unknown> = {},
): OptionOf<E> {
  return create(option.message!, init) as OptionOf<E>;
}

function setMethodOption<E extends typeof requires | typeof tool>(
  { proto }: DescMethod,
  option: E,
  value: OptionOf<E>,
): void {
  proto.options ??= create(MethodOptionsSchema);
  setExtension(proto.options as Extendee<E>, option, value);
}

function setServiceOption<E extends typeof tools>(
  { proto }: DescService,
  option: E,
  value: OptionOf<E>,
): void {
  proto.options ??= create(ServiceOptionsSchema);
  setExtension(proto.options as Extendee<E>, option, value);
}
